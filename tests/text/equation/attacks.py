"""Answers to every equation part, labelled before they were tried: right ones, and wrong ones that must not pass.

The wrong ones attack: softmax and sums over another axis, a part of one, loops that end early, letters of the
question defined anew, marks behind a right equation. One a line; several equations are joined by " // ".
"""

from __future__ import annotations

ATTACKS: dict[str, dict[str, str]] = {
    "spatial_equations": {
        "right": r"""
\text{Query}[k,x,y,U] = W^Q[k,U,J]\, h_{\text{in}}[x,y,J] // \text{Key}[k,x,y,U] = W^K[k,U,J]\, h_{\text{in}}[x,y,J] // \alpha[k,x,y,x',y'] = \underset{x',y'}{\text{softmax}}\; \text{Query}[k,x,y,U]\,\text{Key}[k,x',y',U] // \text{Value}[k,x,y,I] = W^V[k,I,J]\, h_{\text{in}}[x,y,J] // \text{Out}[k,x,y,I] = \sum_{x',y'} \alpha[k,x,y,x',y']\, \text{Value}[k,x',y',I] // h_{\text{out}}[x,y,J] = \text{Out}[1,x,y,I]; \ldots; \text{Out}[K,x,y,I]
alpha[k,x1,y1,x2,y2] = exp(<Query[k,x1,y1], Key[k,x2,y2]>) / Z[k,x1,y1] with Z[k,x1,y1] = sum_{x,y} exp(<Query[k,x1,y1], Key[k,x,y]>)
Out[k,x1,y1,i] = \sum_{x_2=1}^{X}\sum_{y_2=1}^{Y} \alpha[k,x1,y1,x2,y2] Value[k,x2,y2,i]
\alpha_{k,(x,y),(x',y')} = \mathrm{softmax}_{(x',y')}\left( \mathrm{Query}_{k,x,y}^\top \mathrm{Key}_{k,x',y'} \right)
Value[k,x,y,i] = np.sum(WV[k,i,:] * h_in[x,y,:])
alpha[k,x1,y1,x2,y2] = softmax over (x2, y2) of Query[k,x1,y1]·Key[k,x2,y2]
Key[k,x,y] = W^K_k h_in[x,y]
h_out[x,y,J] = concat(Out[1,x,y,I], Out[2,x,y,I], …, Out[K,x,y,I])
\mathrm{Out}_{k}[x,y] = \sum_{(x',y')} \alpha_k[x,y,x',y']\, \mathrm{Value}_k[x',y']
Value = torch.einsum("xyj,kij->kxyi", h_in, WV)
Out[k,x,y,I] = \sum_{x'=1}^{X} \sum_{y'=1}^{Y} \alpha[k,x,y,x',y'] \mathrm{Value}[k,x',y',I] \quad (x,y = \text{query position})
Query[k,x,y,U] = Σ_J WQ[k,U,J]·h_in[x,y,J] ; Key[k,x,y,U] = Σ_J WK[k,U,J]·h_in[x,y,J]
""",
        "wrong": r"""
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x1,y2,U]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x,y,I]
h_out[x,y,J] = sum_k Out[k,x,y,I]
Query[k,x,y,U] = WQ[k,J,U] h_in[x,y,J]
Out[k,x,y,I] = sum_{x'} alpha[k,x,y,x',y] Value[k,x',y,I]
alpha[k,x1,y1,x2,y2] = softmax over x2 of Query[k,x1,y1]·Key[k,x2,y2]
Out[k,x,y] = \sum_{x'} \alpha[k,x,y,x',y'] Value[k,x',y']
h_out = rearrange(Out, 'k x y i -> x y (i k)')
h_out[x,y] = Out.permute(1,2,3,0).reshape(X, Y, K*I)[x,y]
alpha = softmax(torch.einsum('kxyu,kabu->kxyab', Query, Key), dim=(1,2))
alpha = softmax(torch.einsum('kxyu,kabu->kxyab', Query, Key), dim=-2)
""",
    },
    "blank_lm_equation": {
        "right": r"""
Let z = W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1]. Then P(w_t | rest) = softmax_{w_t}(e[w_t]^T z).
P(w_t | rest) = softmax_{w_t} [ h_fwd[t-1]^T W_fwd^T e[w_t] + h_bwd[t+1]^T W_bwd^T e[w_t] ]
P(w_t|rest) = softmax_{w_t}(z[w_t]), z[v] = e[v,I] W_fwd[I,J] h_fwd[t-1,J] + e[v,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t | w_1..w_{t-1}, w_{t+1}..w_T) = softmax(e (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1]))[w_t]
\text{score}(w) = e[w,I]\left(\vec{W}[I,J]\vec{h}[t-1,J] + \tilde{W}[I,J]\tilde{h}[t+1,J]\right), \quad P(w_t\mid\cdot) = \frac{\exp(\text{score}(w_t))}{\sum_{w'} \exp(\text{score}(w'))}
P(w|rest) = softmax_w ( <e[w], W_fwd h_fwd[t-1]> + <e[w], W_bwd h_bwd[t+1]> )
P(w_t|rest) = softmax_{w_t}( e[w_t,:] @ (W_fwd @ h_fwd[t-1,:] + W_bwd @ h_bwd[t+1,:]) )
P(w_t | c) = \frac{1}{Z} \exp( e[w_t]^\top \vec W \vec h[t-1] + e[w_t]^\top \tilde W \tilde h[t+1] ), Z = \sum_w \exp( e[w]^\top \vec W \vec h[t-1] + e[w]^\top \tilde W \tilde h[t+1] )
logits = e @ (W_fwd @ h_fwd[t-1] + W_bwd @ h_bwd[t+1]) // P = F.softmax(logits, dim=-1)
""",
        "wrong": r"""
P(w_t|rest) = softmax([e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]), where the softmax runs over t
P(w_t|rest) = softmax([e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]), where the softmax runs over I
P(w_t|rest) = softmax([e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]), where the softmax runs over J
P(w_t | rest) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t-1,J] ]
P(w_t | rest) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] * e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t | c) = \frac{1}{Z} \exp( e[w_t]^\top \vec W \vec h[t-1] + e[w_t]^\top \tilde W \tilde h[t+1] )
P(w_t | rest) = softmax_{t}[e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]
logits = e @ (W_fwd @ h_fwd[t] + W_bwd @ h_bwd[t]) // P = F.softmax(logits, dim=-1)
P = F.softmax(e @ W_fwd @ h_fwd[t-1], -1) + F.softmax(e @ W_bwd @ h_bwd[t+1], -1)
""",
    },
    "caption_equations": {
        "right": r"""
P(w_t \mid w_{<t}, M) = \mathrm{softmax}_{w_t}\left( e_{w_t}^\top W^{\text{auto}} h_{t-1} \right) // \alpha[x,y] = \mathrm{softmax}_{x,y}\left( h_{t-1}^\top W^{\text{key}} M[x,y] \right) // V = \sum_{x,y} \alpha[x,y] M[x,y] // h_t = \mathrm{CELL}(h_{t-1}, V, e_{w_t})
V = torch.einsum('xy,xyk->k', alpha, M)
V = (alpha[:, :, None] * M).sum((0, 1))
V[K] = sum_{x,y} alpha[x,y] M[x,y,K], i.e. a weighted average of the features
alpha[x,y] = softmax_{x,y}( <W_key^T h[t-1], M[x,y]> )
alpha = softmax(torch.einsum('j,jk,xyk->xy', h[t-1], W_key, M), dim=(0, 1))
\alpha_{x,y} = \frac{\exp(h_{t-1}^\top W^{key} M_{x,y})}{\sum_{x',y'} \exp(h_{t-1}^\top W^{key} M_{x',y'})}
V_K = \sum_x \sum_y \alpha_{x,y} M_{x,y,K}
P(w_t | w_1, …, w_{t−1}) = softmax_{w_t} e[w_t, I] W_auto[I, J] h[t−1, J]
h[t,J] = CELL_\Phi(h[t-1,J], V[K], e[w_t,I])
c = h[t-1] @ W_key // alpha[x,y] = softmax_{x,y} (c · M[x,y])
""",
        "wrong": r"""
alpha[x,y] = softmax_x softmax_y h[t-1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = softmax_{x,y} h[t,J] W_key[J,K] M[x,y,K]
V[K] = sum_{x,y} M[x,y,K]
V[K] = 1/(X Y) sum_{x,y} alpha[x,y] M[x,y,K]
P(w_t | w_1..w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t,J]
V = torch.sum(alpha.unsqueeze(-1) * M, dim=0)
V = (alpha.unsqueeze(1) * M).sum((0, 1))
V = (alpha[:, None] * M).sum((0, 1))
V = (alpha[:, None, :] * M).sum((0, 1))
V = (alpha[1:, :, None] * M).sum((0, 1))
V = (alpha[0, :, None] * M).sum((0, 1))
V = (alpha[..., None, None] * M).sum((0, 1))
V[K] = sum_{x,y} alpha[x,y] M[x,y,K], i.e. the unweighted average
h[t,J] = CELL(V[K], h[t-1,J], e[w_t,I])
\alpha[x,y] = \frac{\exp(h_{t-1}^\top W^{key} M_{x,y})}{\sum_{x'} \exp(h_{t-1}^\top W^{key} M_{x',y})}
alpha = softmax(torch.einsum('j,jk,xyk->xy', h[t-1], W_key, M), dim=1)
""",
    },
    "embedding_equation": {
        "right": r"""
L_0 = e[w]
L_0[b,t] = e_{w[b,t]}
L_0[b,t,i] = \sum_{v} \mathbb{1}[v = w[b,t]]\, e[v,i]
""",
        "wrong": r"""
L_0[b,t,i] = e[w[t,b],i]
""",
    },
    "layer_equation": {
        "right": r"""
L_{\ell+1}[b,t,i] = \sigma\left( \sum_{\Delta t=0}^{D-1} \sum_{i'=1}^{I'} W_{\ell+1}[\Delta t,i',i]\, L_\ell[b,2t+\Delta t,i'] - B_{\ell+1}[i] \right)
L_{l+1}[b,t,i] = σ(Σ_{δ,j} W_{l+1}[δ,j,i] L_l[b,2t+δ,j] − B_{l+1}[i])
z[b,t,i] = \sum_{\Delta t, i'} W_{\ell+1}[\Delta t,i',i] L_\ell[b,2t+\Delta t,i'] // L_{\ell+1}[b,t,i] = \sigma(z[b,t,i] - B_{\ell+1}[i])
L_{l+1}[b,t,i] = sigma(-B_{l+1}[i] + sum_{dt,i'} L_l[b,2t+dt,i'] W_{l+1}[dt,i',i])
L_{l+1}[b,t,i] = sigma(\sum_{i'} \sum_{\Delta t} L_l[b, 2 t + \Delta t, i'] W_{l+1}[\Delta t, i', i] - B_{l+1}[i])
L_{l+1}[b,t,:] = sigma(sum_{dt=0}^{D-1} L_l[b,2t+dt,:] @ W_{l+1}[dt] - B_{l+1})
a = sum_{k,c} W_{l+1}[k,c,i] L_l[b,2t+k,c]; L_{l+1}[b,t,i] = sigma(a - B_{l+1}[i])
L_{l+1}[b,t] = \sigma\left(\sum_{\Delta=0}^{D-1} L_l[b,2t+\Delta] W_{l+1}[\Delta] - B_{l+1}\right)
""",
        "wrong": r"""
L_{l+1}[b,t,i] = sum_{dt,i'} sigma(W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} (W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]))
L_{l+1}[b,t,i] = sigma(sum_{dt=0}^{D} sum_{i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i'])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i,i'] L_l[b,2t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum(W_{l+1}[d,:,i] @ L_l[b,t+d,:] for d in range(D)) - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum(W_{l+1}[d,:,i] @ L_l[b,2*t+d,:] for d in range(D-1)) - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum(W_{l+1}[d,:,i] @ L_l[b,2*t+d,:] - B_{l+1}[i] for d in range(D)))
L_{l+1}[b,t,i] = sigma(sum(W_{l+1}[d,j,i] * L_l[b,2*t+d,j] for d in range(D)) - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t-dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[D-1-dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]), stride 1
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,t+dt,i'] - B_{l+1}[i]), stride 2
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_{l}[b,2t+dt,i'] - B_{l+1}[t])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_{l+1}[b,2t+dt,i'] - B_{l+1}[i])
""",
    },
    "merged_equation": {
        "right": r"""
W_tilde[k,j1,j2] = sum_i WQ[k,i,j1] WK[k,i,j2] / sqrt(I)
W_tilde = WQ.transpose(1, 2) @ WK / I**0.5
W_tilde = torch.bmm(WQ.transpose(-2,-1), WK) / math.sqrt(WQ.shape[1])
For each head k: W_tilde[k,j1,j2] = \nicefrac{1}{\sqrt{I}} \sum_i WQ[k,i,j1] WK[k,i,j2]
\tilde{W}^Q[k] = W^Q[k]^T W^K[k] / \sqrt{I}
W_tilde = np.matmul(WQ.transpose(0,2,1), WK) / np.sqrt(I)
W_tilde[k, j1, j2] = (WQ[k, :, j1] @ WK[k, :, j2]) / math.sqrt(I)
W_tilde[k,j_1,j_2] = <WQ[k,:,j_1], WK[k,:,j_2]> / sqrt(I)
W~[k,J1,J2] = (1/sqrt(I)) * WQ[k,I,J1] * WK[k,I,J2]
W_tilde = (WQ.mT @ WK) * I ** -0.5
""",
        "wrong": r"""
W_tilde[k,j1,j2] = sum_i WQ[k,i,j2] WK[k,i,j1] / sqrt(I)
W_tilde[k,j1,j2] = WQ[k,I,j1] WK[k,I,j2] / I
W_tilde = np.matmul(WQ, WK.transpose(0,2,1)) / np.sqrt(I)
W_tilde = (WQ.mT @ WK) * I ** 0.5
W_tilde = WQ.T @ WK / sqrt(I)
W_tilde[k,j1,j2] = sum_{k} WQ[k,I,j1] WK[k,I,j2] / sqrt(I)
""",
    },
    "attention_equation": {
        "right": r"""
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], over t2)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], axis=t2)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]), where the softmax runs over t2
The weights are $alpha[k,t1,t2] = softmax_{t2} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]$.
**alpha[k,t1,t2]** = softmax_{t2} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
\boldsymbol{\alpha}_k = \operatorname{softmax}_{\text{row}}(\mathbf{L}\tilde{\mathbf{W}}^Q_k\mathbf{L}^\top)
alpha = F.softmax(torch.einsum('ta,kab,sb->kts', L, W_tilde, L), dim=2)
\alpha[k] = \mathrm{softmax}(L \tilde{W}^Q[k] L^\top, \text{dim}=-1)
alpha[k,t1,t2] = exp(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]) / sum_{t3} exp(L[t1,J1] W_tilde[k,J1,J2] L[t3,J2])
\alpha_{k,t_1,\cdot} = \text{softmax}(L \tilde W_k^\top L_{t_1})
h1 = L[t1], h2 = L[t2], alpha[k,t1,t2] = softmax_{t2} h1^T W_tilde[k] h2
""",
        "wrong": r"""
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], over t1)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], axis=k)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]), where the softmax runs over t1
Wrong: alpha[k,t1,t2] = softmax_{t2} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
The weights are not $alpha[k,t1,t2] = softmax_{t2} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]$
alpha = torch.softmax(L @ W_tilde @ L.T, dim=0)
alpha[k,t1,t2] = softmax_{t2} [L[t1,J2] W_tilde[k,J1,J2] L[t2,J1]]
alpha[k,t1,t2] = L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
\alpha_{k,t_1,\cdot} = \text{softmax}(L \tilde W_k L_{t_1})
alpha = F.softmax(torch.einsum('ta,kab,sb->kts', L, W_tilde, L), dim=1)
alpha[k,t1,t2] = exp(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]) / sum_{t1} exp(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2])
alpha = softmax_col(L W_tilde L^T)
alpha = softmax(L W_tilde L^T, axis=1)
alpha = softmax(L W_tilde L^T, axis=0)
alpha[k,t1,t2] = softmax_{t_1} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k,t1,t2] = softmax_k L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k] = softmax_{col}(L W_tilde[k] L^T)
alpha[k] = softmax(L W_tilde[k] L^T, dim=0)
alpha[k] = softmax_{dim=0}(L W_tilde[k] L^T)
alpha[k] = \mathrm{softmax}_{1}(L W_tilde[k] L^T)
alpha[k,t2,t1] = softmax_{t2} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k,t1,t2] = softmax_{t2,t1} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k,t1,t2] = softmax_{k,t2} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha = softmax_{t2} L W_tilde^T L^T
alpha[k] = softmax(L W_tilde[k]^T L^T)
alpha[k] = softmax((L W_tilde[k] L^T)^T)
alpha[k] = softmax(L W_tilde[k] L^T)^T
alpha[k,t1,t2] = softmax_{t2}(L[t1] W_tilde[k]) L[t2]
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t2} exp(L[t1]^T W_tilde[k] L[t1])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t} exp(L[t]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) where L = L + 1
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]), W_tilde[k] = W_tilde[k]^T
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) \tag{where t2 < t1}
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) % for t2 <= t1
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) # causal mask applied
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) (masked)
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) // alpha[k,t1,t2] = softmax_{t1}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) or softmax_{t1}(...)
alpha[k,t1,t2] = softmax_{t2 \le t1}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2])^2
alpha[k,t1,t2] = 2 softmax_{t2}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2}(2 L[t1]^T W_tilde[k] L[t2])
alpha[1,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[1] L[t2])
alpha[k,1,t2] = softmax_{t2}(L[1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde L[t2])
alpha[k,t1,t2] = softmax_{t2}(sum_k L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2} over t1 of L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax(L[t1]^T W_tilde[k] L[t2]) over t1
alpha[k,t1,t2] = softmax(L[t1]^T W_tilde[k] L[t2]), normalised over t1
alpha[k,t1,t2] = softmax(L[t1]^T W_tilde[k] L[t2]) along each column
alpha[k] = softmax(L W_tilde[k] L^T) column-wise
alpha[k,t1,t2] = sum(softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) for k in range(K))
alpha[k,t1,t2] = softmax_{t2}(sum(L[t1,j] * W_tilde[k,j,j] * L[t2,j] for j in range(J)))
alpha[k,t1,t2] = softmax_{t2}(L[t1] · W_tilde[k] · L[t1])
alpha[k,t1,t2] = softmax_{t2}(W_tilde[k] L[t1] · L[t2])
alpha[k,(t1,t2)] = softmax_{(t1,t2)}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax over (t1, t2) of L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) (t1, t2 = swapped places)
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) (t2 = first position only)
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2]) (t2: the query not the key)
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t \in \{1,2\}} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t \in \mathcal{N}(t1)} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t \neq t1} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t=2}^{T} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t even} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t: t<t1} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t | t<t1} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t}^{t1} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum^{t1}_{t} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / \sum_{\substack{t \\ t<t1}} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = \underset{t2<=t1}{softmax} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2, t2 \le t1} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2: t2 \le t1} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2}^{T} L[t1]^T W_tilde[k] L[t2] ^ 0
alpha[k,t1,t2] = softmax_{t2}^{-1} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax^2_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = \max_{t2} softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = log softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = logsoftmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = sparsemax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = argmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2=1..J}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2=2}^{T}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2=1}^{t1}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = \underset{t2 \le t1}{softmax}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2 \in J}(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t \in J} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{t \in T \setminus t1} exp(L[t1]^T W_tilde[k] L[t])
alpha[k,t1,t2] = softmax_{t2} <L[t1], L[t2]>
alpha[k,t1,t2] = softmax_{t2} |L[t1]^T W_tilde[k] L[t2]|
alpha[k,t1,t2] = softmax_{t2} ||L[t1]^T W_tilde[k] L[t2]||
alpha[k,t1,t2] = softmax_{t2} (L[t1]^T W_tilde[k] L[t2] + M[t1,t2])
alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k+1] L[t2]
alpha[k,t1,t2] = softmax_{t2} L[t1-1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2} L[t1]^T \cancel{W_tilde[k]} L[t2]
alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k]^{-1} L[t2]
alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k]^2 L[t2]
alpha[k,t1,t2] = softmax_{t2} L[t1]^T \overline{W_tilde[k]} L[t2] \cdot 2
alpha[k,t1,t2] = softmax_{t2} dropout(L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = dropout(softmax_{t2} L[t1]^T W_tilde[k] L[t2])
alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2] \phantom{x} / T
alpha[k,t1,t2] \neq softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] < softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] \approx softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] \propto L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] += softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] *= softmax_{t2} L[t1]^T W_tilde[k] L[t2]
-alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2]^2 = softmax_{t2} L[t1]^T W_tilde[k] L[t2]
2 alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2]
log alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2] // where L[t] = L[t] + P[t]
Let L[t] = 2 L[t]. alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2} L[t1]^T V[k] L[t2], V[k] = W_tilde[k]^T
alpha[k,t1,t2] = softmax_{t2} z, z = L[t2]^T W_tilde[k] L[t1]
alpha[k,t1,t2] = f(L[t1]^T W_tilde[k] L[t2]), f(x) = softmax_{t1} x
alpha[k,t1,t2] = softmax_{t2} Q[t1] · K[t2], Q = L W_tilde[k]^T, K = L
""",
    },
    "final_output": {
        "right": r"""
Y_T = \sigma\left(1000\left(\sum_{t=1}^{T} (-1)^t X_t + H_0\right)\right)
Y_T = 1/(1 + exp(-1000 (H_0 + sum_{k=1}^{T/2} (X_{2k} - X_{2k-1}))))
Y_T = sigmoid(1000*(X_T - X_{T-1} + X_{T-2} - ... + X_2 - X_1 + H_0))
Y_T = sigmoid(1000 * (sum_{t even} X_t - sum_{t odd} X_t + H_0))
H_T = H_0 + \sum_{t=1}^T (-1)^{T-t} X_t, so Y_T = \sigma(1000 H_T)
Y_T = sigmoid(1000 * (X_2 + X_4 + ... + X_T - X_1 - X_3 - ... - X_{T-1} + H_0))
Y_T = \frac{1}{1+e^{-1000(H_0 + \sum_{t=1}^{T}(-1)^t X_t)}}
Y_T = sigmoid(1000 H_0 + 1000 sum_{i=1}^{T} (-1)^i X_i)
Y_T = sigmoid(1000 * (H_0 + sum((-1)**t * X[t] for t in range(1, T+1))))
Y_T = σ(1000·(Σ_{t=1}^{T} (−1)^{T−t} X_t + H_0))
""",
        "wrong": r"""
Y_T = sigmoid(1000 sum_{t=1}^T (-1)^t X_t) + H_0
Y_T = sigmoid(1000 sum_{t=1}^T (-1)^t X_t + H_0)
Y_T = σ(1000·(Σ_{t=0}^{T} (−1)^{t} X_t + H_0))
Y_T = sigmoid(1000 * (X_1 - X_2 + ... + X_{T-1} - X_T + H_0))
Y_T = sigmoid(1000 * sum_{t=1}^{T} X_t + H_0)
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^t X_t + H_0)) for odd T
Y_T = sigmoid(1000 sum_{t=1}^{0} X_t)
Y_T = sigmoid(1000 (X_2 + X_4 + ... + X_T - X_1 - X_3 - ... - X_{T-1}) + H_0)
Y_T = sigmoid(1000 (X_2 + X_3 + ... + X_T - X_1 - X_3 - ... - X_{T-1} + H_0))
Y_T = sigmoid(1000 (X_2 + X_4 + ... + X_{T-2} - X_1 - X_3 - ... - X_{T-1} + H_0))
Y_T = sigmoid(1000 (X_T - X_{T-1} + ... + X_1 - X_2 + H_0))
Y_T = sigmoid(1000 (sum(X[2*i] for i in range(1, T/2)) - sum(X[2*i-1] for i in range(1, T/2)) + H_0))
Y_T = sigmoid(1000 (sum(X[2*i] - X[2*i-1] for i in range(T/2)) + H_0))
Y_T = sigmoid(100 (sum_{t=1}^{T} (-1)^t X_t + H_0))
Y_T = tanh(1000 (sum_{t=1}^{T} (-1)^t X_t + H_0))
Y_T = 1000 (sum_{t=1}^{T} (-1)^t X_t + H_0)
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^t X_T + H_0))
Y_T = sigmoid(1000 (-1)^t sum_{t=1}^{T} X_t + H_0)
Y_T = sigmoid(1000 (sum_{t=1}^{T} -1^t X_t + H_0))
Y_T = sigmoid(1000 (sum_{t even} X_t + sum_{t odd} X_t + H_0))
Y_T = sigmoid(1000 (X_T - H_{T-1}))
""",
    },
    "linear_equation": {
        "right": r"""
y_i = \frac{q_i^\top \sum_j k_j v_j^\top}{q_i^\top \sum_j k_j}
y = (q @ (k.T @ v)) / (q @ k.sum(0))[:, None]
y_i = \sum_{j=1}^{T} \frac{\langle q_i, k_j \rangle}{\sum_{j'=1}^{T} \langle q_i, k_{j'} \rangle} v_j
y_i = sum_j a_ij v_j, where a_ij = <q_i, k_j> / sum_l <q_i, k_l>
y = D^{-1} A v, A = q k^T, D = diag(A 1)
\mathbf{y}_i = \frac{\sum_{j} (\mathbf{q}_i \cdot \mathbf{k}_j)\, \mathbf{v}_j}{\sum_{j} \mathbf{q}_i \cdot \mathbf{k}_j}
y[i] = einsum('d,jd,je->e', q[i], k, v) / einsum('d,jd->', q[i], k)
y_i = \left(\sum_j v_j k_j^\top\right) q_i \Big/ \left(\sum_j k_j^\top q_i\right)
y[i] = (q[i] @ (k.T @ v)) / (q[i] @ k.sum(dim=0))
y_i = sum_j w_{ij} v_j with w_{ij} = q_i·k_j / sum_{j'} q_i·k_{j'}
y_i = \sum_{j=1}^T \frac{q_i^\top k_j}{\sum_{l=1}^T q_i^\top k_l} v_j
A = q @ k.T // y = A @ v / A.sum(dim=1, keepdim=True)
""",
        "wrong": r"""
y_i = sum_j <q_i, k_j> v_j / sum_i <q_i, k_j>
y_i = \sum_j \frac{\langle q_i, k_j\rangle v_j}{\sum_{i'} \langle q_{i'}, k_j\rangle}
A = q @ k.T // y = A @ v / A.sum(dim=0, keepdim=True)
y_i = \sum_{j=1}^T \frac{q_i^\top k_j}{\sum_{l=1}^T q_l^\top k_j} v_j
y_i = \frac{\sum_j \langle q_i,k_j\rangle \sum_j v_j}{\sum_j \langle q_i,k_j\rangle}
y = softmax(q @ k.T, dim=-1) @ v
y_i = sum_j <q_i,k_j> v_j / sum_j <q_j,k_j>
y_i = sum_i <q_i,k_j> v_j / sum_i <q_i,k_j>
y_i = sum_j <q_i,k_i> v_j / sum_j <q_i,k_i>
y_i = sum_{j<i} <q_i,k_j> v_j / sum_{j<i} <q_i,k_j>
y_i = sum_{j=1}^{T-1} <q_i,k_j> v_j / sum_{j=1}^{T-1} <q_i,k_j>
y_i = sum_{j=1}^{0} <q_i,k_j> v_j + sum_j <q_i,k_j>
y_i = sum_j <q_i,k_j> v_j / (1 + sum_j <q_i,k_j>)
y = (q @ (k.T @ v)) / (q @ k.sum(1))[:, None]
y = (q @ k.T @ v) / (q @ k.T).sum(1)
y = (q @ k.T @ v) / (q @ k.T).sum(0)
y = (q @ k.T @ v) / (q @ k.T).sum()
y = q @ (k.T @ v) / (q @ k.T).mean(1, keepdim=True)
y = softmax(q @ k.T) @ v
y_i = sum(q[i] @ k[j] * v[j] for j in range(i)) / sum(q[i] @ k[j] for j in range(i))
y_i = sum(q[i] @ k[j] * v[j] for j in range(T)) / sum(q[i] @ k[j] for j in range(T-1))
y_i = sum(q[i] @ k[j] * v[j] for j in range(T)) / sum(q[i] @ k[i] for j in range(T))
y_i = sum(q[i] @ k[j] * v[j] for j in range(1, T)) / sum(q[i] @ k[j] for j in range(1, T))
y_i = \frac{\sum_j (q_i^\top k_j) v_j}{\sum_j (q_i^\top v_j)}
y_i = \frac{\sum_j k_i^\top q_j v_j}{\sum_j k_i^\top q_j}
y_j = \frac{\sum_j (q_i^\top k_j) v_j}{\sum_j q_i^\top k_j}
y_i = sum_j <q_i,k_j> v_j / sum_j <q_i,k_j> where q_i = k_i
y_i = sum_j <q_i,k_j> v_j / sum_j <q_i,k_j> for j < i
y_i = sum_j <q_i,k_j> v_j / sum_j <q_i,k_j> if i = j
y_i = sum_j φ(q_i)·φ(k_j) v_j / sum_j φ(q_i)·φ(k_j), φ(x) = x + 1
y_i = sum_j sim(q_i,k_j) v_j / sum_j sim(q_i,k_j), sim(q,k) = exp(q^T k)
y_i = sum_j sim(q_i,k_j) v_j / sum_j sim(q_i,k_j)
y_i ∝ sum_j <q_i,k_j> v_j
y_i = sum_j <q_i,k_j> v_j / Z
y_i = sum_j <q_i,k_j> v_j / Z, Z = sum_j k_j
y_i = sum_j <q_i,k_j> v_j / Z_i, Z_j = sum_i <q_i,k_j>
y_i = sum_j <q_i,k_j> v_j / Z_j, Z_i = sum_j <q_i,k_j>
y_i = sum_j a_{ij} v_j, a_{ij} = <q_i,k_j> / sum_i <q_i,k_j>
y_i = sum_j a_{ji} v_j, a_{ij} = <q_i,k_j> / sum_j <q_i,k_j>
y_i = sum_{j \in past} <q_i,k_j> v_j / sum_{j \in past} <q_i,k_j>
y_i = sum_{j \in S} <q_i,k_j> v_j / sum_{j \in S} <q_i,k_j>
y_i = \frac{\sum_{j=1}^{i} <q_i,k_j> v_j}{\sum_{j=1}^{i} <q_i,k_j>}
y_i = \frac{\sum_{j} <q_i,k_j> v_j}{\sum_{j=1}^{i} <q_i,k_j>}
y_i = \frac{\sum_{j \ne i} <q_i,k_j> v_j}{\sum_{j \ne i} <q_i,k_j>}
y_i = \frac{\sum_j <q_i,k_j>}{\sum_j <q_i,k_j>} v_j
y_i = \frac{\sum_j <q_i,k_j> v_i}{\sum_j <q_i,k_j>}
y_i = \sum_j \frac{<q_i,k_j>}{<q_i,k_j>} v_j
y_i = \frac{1}{T}\sum_j <q_i,k_j> v_j
y_i = \frac{\sum_j <q_i,k_j> v_j}{|\sum_j <q_i,k_j>| + 10^{-3}}
y_i = \frac{\sum_j <q_i,k_j> v_j}{\sqrt{\sum_j <q_i,k_j>^2}}
y_i = \frac{\sum_j <q_i,k_j>^2 v_j}{\sum_j <q_i,k_j>^2}
y_i = sum_j q_i · k_j · v_j / sum_j q_i · k_j · 1 + 0 v_i + v_i
y = (q k^T / sum(q k^T, axis=0)) v
""",
    },
    "head_equation": {
        "right": r"""
H_{l,h} = V H softmax((K H)^T (Q H))
\mathbf{H}_{\ell,h} = \mathbf{V}_{\ell,h}\mathbf{H}_{\ell-1}\,\mathrm{SoftMax}\!\left((\mathbf{K}_{\ell,h}\mathbf{H}_{\ell-1})^\top \mathbf{Q}_{\ell,h}\mathbf{H}_{\ell-1}\right)
H_{l,h} = V H softmax(H^T K^T Q H, dim=0)
q = Q H, k = K H, v = V H, A = SoftMax(k^T q), H_{l,h} = v A
H_{l,h} = V H \exp(S) \mathrm{diag}(1^\top \exp(S))^{-1}, \quad S = (KH)^\top Q H
H_{l,h} = v A, where A = SoftMax(S), S = k^T q, v = V H, k = K H, q = Q H
H_{l,h} = V_{l,h} H_{l-1} SoftMax(H_{l-1}^T K_{l,h}^T Q_{l,h} H_{l-1})
\mathbf H_{\ell,h} = \mathbf V \mathbf H\, \mathrm{softmax}_{\text{col}}\big((\mathbf K \mathbf H)^{\top}(\mathbf Q \mathbf H)\big)
H_{l,h} = (V H) softmax_{axis=0}((K H)^T (Q H))
""",
        "wrong": r"""
H_{l,h} = V H softmax((K H)^T Q H), where the softmax runs along each row
~~H_{l,h} = V H softmax((K H)^T Q H)~~
H_{l,h} = V H softmax((Q H)^T (K H))
H_{l,h} = V H softmax((K H)^T (Q H) / sqrt(D))
H_{l,h} = softmax((K H)^T (Q H)) V H
H_{l,h} = (V H) softmax_{axis=1}((K H)^T (Q H))
H_{l,h} = V H softmax((K H)^T (Q H))^T
H_{l,h} = V H (K H)^T (Q H)
H_{l,h} = V H RowSoftMax((K H)^T Q H)
H_{l,h} = V H softmax((K H)^T Q H, axis=1)
H_{l,h} = V H softmax((K H)^T Q H, dim=-1)
H_{l,h} = V H softmax_{row}((K H)^T Q H)
H_{l,h} = V H \mathrm{softmax}_{\mathrm{rows}}((K H)^T Q H)
H_{l,h} = V H softmax((K H)^T Q H) along each row
H_{l,h} = V H exp((K H)^T Q H) / sum_j exp((K H)^T Q H)
H_{l,h} = V H exp((K H)^T Q H)
H_{l,h} = H V softmax((K H)^T Q H)
H_{l,h} = V H softmax(K^T H^T Q H)
H_{l,h} = V H softmax(H^T K Q H)
H_{l,h} = V_{l,1} H softmax((K H)^T Q H)
H_{l,h} = V H_l softmax((K H)^T Q H)
H_{l,h} = V H softmax((K H)^T Q H) + H
H_{l,h} = (V H softmax((K H)^T Q H))^T
H_{l,h} = V H D^{-1}, D = diag(1^T exp(S)), S = (KH)^T Q H
H_{l,h} = V H diag(exp(S) 1)^{-1} exp(S), S = (KH)^T QH
""",
    },
    "stacked_layer_equation": {
        "right": r"""
\mathbf{H}_\ell = \text{FF}\left(\sum_{h=1}^{n} \delta_h \otimes \mathbf{H}_{\ell,h}\right)
H_l = sigmoid(W_ff C + b_ff 1^T), C = [H_{l,1}; H_{l,2}; ...; H_{l,n}]
H_l = FF(torch.cat([H_{l,1}, ..., H_{l,n}], dim=0))
H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}] + b_ff 1^T)
H_l = FF(sum_{h=1}^n delta_h \otimes H_{l,h})
\mathbf H_\ell = \mathrm{FF}\big([\mathbf H_{\ell,1}^\top, \dots, \mathbf H_{\ell,n}^\top]^\top\big)
H_l = FF(Concat(H_{l,1}, ..., H_{l,n}))
C = [H_{l,1}; ...; H_{l,n}], H_l = FF(C)
""",
        "wrong": r"""
H_l = FF(sum_h H_{l,h} (x) delta_h)
H_l = sum_h FF(H_{l,h})
H_l = FF([H_{l,1}, ..., H_{l,n}])
H_l = FF(sum_h delta_h^T (x) H_{l,h})
H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}]) + b_ff 1^T
H_l = concat(FF(H_{l,1}), ..., FF(H_{l,n}))
H_l = FF(sum_h delta_h (x) H_{l,1})
H_l = FF([H_{l,1}; ...; H_{l,n-1}])
H_l = FF([H_{l,1}; H_{l,1}; ...; H_{l,n}])
H_l = FF(H_{l,1})
H_l = FF(concat_{h=2}^{n} H_{l,h})
H_l = FF(torch.cat([H_{l,h} for h in range(n)], dim=1))
H_l = FF(torch.cat([H_{l,h}^T for h in range(n)], dim=0))
H_l = FF(torch.cat([H_{l,n-h} for h in range(n)], dim=0))
H_l = FF(torch.cat([H_{l,1} for h in range(n)], dim=0))
H_l = FF(sum(H_{l,h} for h in range(1, n+1)))
H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}])
H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}] - b_ff)
H_l = sigmoid(W_ff ([H_{l,1}; ...; H_{l,n}] + b_ff))
""",
    },
}


def rows(kind: str) -> list[tuple[str, str]]:
    """Part and answer of every right, or every wrong one."""
    return [
        (part, line.replace(" // ", "\n"))
        for part, kinds in ATTACKS.items()
        for line in kinds.get(kind, "").strip("\n").split("\n")
        if line
    ]
