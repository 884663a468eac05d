"""Answers whose notation is half in words or in code: axes that are said, brackets of Iverson, roots, einsum.

Right or wrong was written down before they were tried; how a wrong one is wrong is what the engine said.
"""

from __future__ import annotations

# Part -> verdict -> answers, one a line; several equations of one answer are joined by " // ".
SAID: dict[str, dict[str, str]] = {
    "attention_equation": {
        "equal": r"""
alpha = L @ W_tilde @ L.T // alpha = softmax(alpha, dim=-1)
alpha[k] = softmax(S), S[t1,t2] = L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k] = softmax(S[k]), S[k,a,b] = L[a,J1] W_tilde[k,J1,J2] L[b,J2]
alpha[k] = \mathrm{softmax}(L \tilde W_k L^\top) \quad \text{(row-wise)}
alpha[k] = softmax(L @ W_tilde[k] @ L.T, dim=-1)
alpha[k] = softmax(L W_tilde[k] L^T, axis=1)
alpha_k = RowSoftMax(L W_tilde_k L^T)
alpha[k,t1,:] = softmax(L[t1] W_tilde[k] L^T)
alpha[k,t1,t2] = softmax_{t2}(L[t1]^T W_tilde[k] L[t2])
alpha = torch.einsum("ti,kij,sj->kts", L, W_tilde, L).softmax(dim=-1)
alpha = F.softmax(torch.einsum("ti,kij,sj->kts", L, W_tilde, L), dim=-1)
\alpha_{k,t_1,t_2} = \frac{\exp(L_{t_1}^\top \tilde W_k L_{t_2})}{\sum_{t} \exp(L_{t_1}^\top \tilde W_k L_{t})}
\alpha[k,t_1,t_2] = \mathrm{softmax}_{t_2}\left( s[k,t_1,t_2] \right), \text{ where } s[k,t_1,t_2] = L[t_1,J_1] \tilde W[k,J_1,J_2] L[t_2,J_2]
S = L @ W_tilde @ L.T // alpha = softmax(S, dim=-1)
S[k] = L W_tilde[k] L^T // alpha[k] = softmax(S[k])
alpha[k,t1,t2] = exp(s[k,t1,t2]) / sum_{t} exp(s[k,t1,t]) // s[k,t1,t2] = L[t1,J] W_tilde[k,J,J2] L[t2,J2]
scores = np.einsum("ti,kij,uj->ktu", L, W_tilde, L); alpha = softmax(scores, axis=-1)
alpha[k,i,j] = softmax_j <L[i], W_tilde[k] L[j]>
alpha[k,i,j] = softmax_j L[i] · (W_tilde[k] L[j])
alpha[k, t1, t2] = softmax over t2 of L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
""",
        "different": r"""
alpha = L @ W_tilde @ L.T // alpha = softmax(alpha, dim=1)
alpha = softmax(L @ W_tilde @ L.T, dim=-1) // alpha = softmax(alpha, dim=-1)
alpha[k] = softmax(S), S[t2,t1] = L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k] = softmax(S[k]^T), S[k,a,b] = L[a,J1] W_tilde[k,J1,J2] L[b,J2]
alpha[k] = \mathrm{softmax}(L \tilde W_k L^\top) \quad \text{(column-wise)}
alpha[k,t1,t2] = softmax_{k}(L[t1] W_tilde[k] L[t2]^T)
alpha[k] = softmax(L W_tilde[k] L^T / sqrt(J))
alpha[k,t1,t2] = softmax over t1 of L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
""",
        "ill-typed": r"""
alpha = softmax(L @ W_tilde @ L.T)[k]
alpha[k,t1,t2] = L[t1]
""",
        "unparseable": r"""
softmax over the keys
the attention is a softmax of the scores
each query looks at all keys
""",
    },
    "merged_equation": {
        "equal": r"""
W_tilde = torch.einsum("kia,kib->kab", WQ, WK) / I**0.5
W_tilde = WQ.transpose(1,2) @ WK / math.sqrt(I)
W_tilde = (WQ.transpose(-2,-1) @ WK) * I**-0.5
\tilde W_k = \frac{1}{\sqrt I} (W^Q_k)^\top W^K_k
\tilde W^Q[k] = \frac{W^Q[k]^\top W^K[k]}{\sqrt{I}}
W_tilde[k,a,b] = sum_i WQ[k,i,a] WK[k,i,b] / sqrt(I)
W_tilde[k,a,b] = <WQ[k,:,a], WK[k,:,b]> / sqrt(I)
W_tilde[k] = 1/sqrt(I) * sum_i WQ[k,i] WK[k,i]^T
W_tilde = np.matmul(np.swapaxes(WQ, 1, 2), WK) / np.sqrt(I)
W_tilde = torch.bmm(WQ.transpose(1, 2), WK) / I**0.5
W_tilde[k] = I^{-1/2} WQ[k]^T WK[k]
W_tilde[k, :, :] = WQ[k].T @ WK[k] / np.sqrt(I)
W_tilde = torch.einsum("kij,kil->kjl", WQ, WK).div(math.sqrt(I))
W_tilde = torch.einsum("kij,kil->kjl", WQ / I**0.25, WK / I**0.25)
W_tilde = einsum(WQ, WK, "k i a, k i b -> k a b") / sqrt(I)
for every head k: W_tilde[k] = WQ[k]^T WK[k] / sqrt(I)
W_tilde[k,j1,j2] = (1/\sqrt{I}) \sum_{i=1}^{I} WQ[k,i,j1] WK[k,i,j2]
\tilde{W}^Q[k,j_1,j_2] = \sum_{i} \frac{W^Q[k,i,j_1]}{\sqrt[4]{I}}\cdot\frac{W^K[k,i,j_2]}{\sqrt[4]{I}}
W_tilde = (WQ.permute(0, 2, 1) @ WK) / I ** 0.5
W_tilde[k] = torch.matmul(WQ[k].T, WK[k]) / WQ.shape[1]**0.5
W_tilde = WQ.swapaxes(-1, -2) @ WK / np.sqrt(I)
""",
        "different": r"""
W_tilde[k] = WQ[k]^T WK[k]
W_tilde[k] = WQ[k]^T WK[k] / I
W_tilde[k] = WQ[k]^T WK[k] / sqrt(J)
W_tilde = torch.einsum("kia,kib->kba", WQ, WK) / I**0.5
\tilde{W}^Q[k,j_1,j_2] = \sum_{i} \frac{W^Q[k,i,j_1]}{\sqrt[3]{I}}\cdot\frac{W^K[k,i,j_2]}{\sqrt[3]{I}}
""",
        "ill-typed": r"""
W_tilde[k] = WQ[k] WK[k]^T / sqrt(I)
W_tilde = torch.einsum("kai,kbi->kab", WQ, WK) / I**0.5
W_tilde = WQ @ WK / sqrt(I)
W_tilde = (WQ * WK) / sqrt(I)
W_tilde[k,a,b] = WQ[k,i,a] WK[k,i,b] / sqrt(I)
W_tilde = WQ.T @ WK / sqrt(I)
""",
        "unparseable": r"""
merge the two matrices
""",
    },
    "linear_equation": {
        "equal": r"""
y = A v, A[i,j] = <q_i,k_j> / sum_m <q_i,k_m>
A = q @ k.T // A = A / A.sum(dim=1, keepdim=True) // y = A @ v
y_i = sum_j a_{ij} v_j, a_{ij} = s_{ij} / sum_{j'} s_{ij'}, s_{ij} = <q_i, k_j>
y[i] = (q[i] @ S) / (q[i] @ z), where S = sum_j outer(k[j], v[j]), z = sum_j k[j]
y_i^\top = \frac{q_i^\top \sum_j k_j v_j^\top}{q_i^\top \sum_j k_j}
y = diag(q k^T 1)^{-1} (q k^T) v
y[i] = sum_j a[i,j] v[j], a[i,j] = <q[i],k[j]> / sum_l <q[i],k[l]>
y_i = sum_j w_ij v_j with w_ij = <q_i,k_j> / sum_l <q_i,k_l>
y = (q @ (k.T @ v)) / (q @ k.sum(0))[:, None]
y = q @ (k.T @ v) / (q @ k.T).sum(-1, keepdim=True)
y = ((q @ k.T) / (q @ k.T).sum(dim=-1, keepdim=True)) @ v
y_i = \frac{\sum_{j} \mathrm{sim}(q_i,k_j) v_j}{\sum_{j} \mathrm{sim}(q_i,k_j)} \text{ with } \mathrm{sim}(a,b) = a^\top b
S = sum_j k_j v_j^T // z = sum_j k_j // y_i = S^T q_i / (z^T q_i)
A = q k^T // y[i] = sum_j A[i,j] v[j] / sum_j A[i,j]
y_i = (1/Z_i) sum_j <q_i,k_j> v_j, Z_i = sum_j <q_i,k_j>
y_i = (1/Z_i) sum_j <q_i,k_j> v_j where Z_i = sum_{j=1}^T <q_i,k_j>
y = np.einsum("td,sd,sv->tv", q, k, v) / np.einsum("td,sd->t", q, k)[:, None]
phi(x) = x // y_i = sum_j <phi(q_i), phi(k_j)> v_j / sum_j <phi(q_i), phi(k_j)>
y[t,:] = sum_s (q[t,:] @ k[s,:]) v[s,:] / sum_s (q[t,:] @ k[s,:])
y_t = \frac{\sum_{s=1}^{T} \langle q_t, k_s \rangle\, v_s}{\sum_{s=1}^{T} \langle q_t, k_s \rangle}
""",
        "different": r"""
y = A^T v, A[i,j] = <q_i,k_j> / sum_m <q_i,k_m>
A = q @ k.T // A = A / A.sum(dim=0, keepdim=True) // y = A @ v
y_i = sum_j a_{ij} v_j, a_{ij} = s_{ij} / sum_{i'} s_{i'j}, s_{ij} = <q_i, k_j>
y_i = sum_j <q_i,k_j> v_j / sum_j <q_j,k_i>
y_i = sum_j <q_j,k_i> v_j / sum_j <q_j,k_i>
y_i = sum_{j<=i} <q_i,k_j> v_j / sum_{j<=i} <q_i,k_j>
y_i = sum_j exp(<q_i,k_j>) v_j / sum_j exp(<q_i,k_j>)
y = q @ k.T @ v
y_i = sum_j <q_i,k_j> v_j / T
y_i = sum_j <q_i,k_j> / sum_j <q_i,k_j> v_j
y = softmax(q k^T) v
""",
        "ill-typed": r"""
y = q @ (k.T @ v) / (q @ k.T).sum(0)
y_i = sum_j <q_i,k_j>
y[i,d] = q[i]
""",
    },
    "head_equation": {
        "equal": r"""
H_{l,h} = V H A, A_{ij} = \frac{\exp(S_{ij})}{\sum_{i'} \exp(S_{i'j})}, S = (K H)^T (Q H)
H_{l,h} = V H A^T, A_{ij} = S_{ji}, S = SoftMax((K H)^T Q H)
H_{l,h} = V H softmax((K H)^T Q H)
H_{l,h} = V H softmax_{col}(H^T K^T Q H)
H_{l,h} = V_{l,h} H_{l-1} softmax((K_{l,h} H_{l-1})^T (Q_{l,h} H_{l-1}), dim=0)
H_{l,h} = V H softmax((K H).T @ (Q H), axis=0)
H_{l,h} = V H A, where A = softmax_{col}((K H)^T (Q H))
A = softmax((K H)^T Q H) // H_{l,h} = V H A
\mathbf{H}_{\ell,h} = \mathbf{V}_{\ell,h}\mathbf{H}_{\ell-1}\,\mathrm{softmax}\left((\mathbf{K}_{\ell,h}\mathbf{H}_{\ell-1})^\top \mathbf{Q}_{\ell,h}\mathbf{H}_{\ell-1}\right)
H_{l,h} = V H ColSoftMax(H^T K^T Q H)
H_{l,h} = V H softmax((KH)^T QH), softmax over columns
H_{l,h} = V H SoftMax((K H)^T Q H) where the softmax is taken down each column
H_{l,h} = V H SoftMax((K H)^T Q H) (column-wise softmax)
H_{l,h} = V H SoftMax((K H)^T Q H), column-wise
H_{l,h} = (softmax_{row}((Q H)^T K H) (V H)^T)^T
H_{l,h} = V H E diag(1^T E)^{-1}, E = exp((K H)^T Q H)
$H_{l,h} = V H \operatorname{softmax}((K H)^\top Q H)$, normalised over each column
""",
        "different": r"""
H_{l,h} = V H A, A_{ij} = \frac{\exp(S_{ij})}{\sum_{j'} \exp(S_{ij'})}, S = (K H)^T (Q H)
H_{l,h} = V H A, A_{ij} = S_{ji}, S = SoftMax((K H)^T Q H)
H_{l,h} = V H softmax((K H)^T Q H), row-wise
H_{l,h} = V H softmax((K H)^T Q H) with the softmax over each row
H_{l,h} = V H softmax((K H)^T Q H, dim=1)
H_{l,h} = V H softmax((K H)^T Q H, dim=-1)
H_{l,h} = V H softmax((Q H)^T K H)
H_{l,h} = V H softmax((K H)^T Q H / sqrt(D))
""",
        "ill-typed": r"""
H_{l,h} = softmax((Q H)^T K H) V H
H_{l,h} = V H softmax(K H (Q H)^T)
""",
        "unparseable": r"""
H_{l,h} = V H softmax_{row}((K H)^T Q H), column-wise
""",
    },
    "embedding_equation": {
        "equal": r"""
L_0[b,t,i] = e[w[b][t]][i]
L_0[b,t,i] = sum_v 1[w[b,t]=v] e[v,i]
L_0[b,t,i] = sum_v 1{w[b,t] = v} e[v,i]
L_0[b,t,i] = \sum_v \mathbb{1}[w[b,t]=v]\, e[v,i]
L_0[b,t,i] = \sum_{v} \delta_{v, w[b,t]} e[v,i]
L_0[b,t,i] = e_{w_{b,t}, i}
L_0[b,t,\cdot] = e[w[b,t],\cdot]
L_0[b,t] = onehot(w[b,t]) @ e
L_0 = F.embedding(w, e)
L_0[b,t,i] = e[w_{b,t}, i] for all b, t, i
L_0[b,t,i] = sum_v [w[b,t] == v] e[v,i]
L_0 = torch.nn.functional.embedding(w, e)
L_0 = np.take(e, w, axis=0)
""",
        "ill-typed": r"""
L_0[b,t,i] = sum_v e[v,i]
L_0[b,t,i] = sum_v 1[v=v] e[v,i]
L_0 = np.take(e, w)
""",
        "unparseable": r"""
L_0[b,t,i] = sum_v 1[w[b,t]!=v] e[v,i]
""",
    },
    "layer_equation": {
        "equal": r"""
L_{l+1}[b,t,i] = sigma(sum_{d,i'} W_{l+1}[d,i',i] L_l[b,2t+d,i'] - B_{l+1}[i])
L_{l+1}[b,t] = sigma(sum_d W_{l+1}[d]^T L_l[b,2t+d] - B_{l+1})
L_{l+1}[b,t,i] = sigma(sum_{d=0}^{D-1} sum_{j} W_{l+1}[d,j,i] L_l[b,2*t+d,j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(z[b,t,i] - B_{l+1}[i]) where z[b,t,i] = sum_{d,j} W_{l+1}[d,j,i] L_l[b,2t+d,j]
L_{l+1}[b,t,i] = sigma(-B_{l+1}[i] + sum_d <W_{l+1}[d,:,i], L_l[b,2t+d,:]>)
L_{l+1}[b,t] = sigma(sum_d L_l[b,2t+d] @ W_{l+1}[d] - B_{l+1})
L_{l+1}[b,t,i] = σ(Σ_{d} Σ_{i'} W_{l+1}[d,i',i]·L_l[b,2t+d,i'] − B_{l+1}[i])
""",
        "different": r"""
L_{l+1}[b,t,i] = sigma(sum_{d,j} W_{l+1}[d,j,i] L_l[b,2t+d,j] + B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{d,j} W_{l+1}[d,j,i] L_l[b,t+d,j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{d,j} W_{l+1}[d,i,j] L_l[b,2t+d,j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sum_{d,j} W_{l+1}[d,j,i] L_l[b,2t+d,j] - B_{l+1}[i]
L_{l+1}[b,t,i] = sigma(sum_{d,j} W_{l+1}[d,j,i] L_l[b,2t-d,j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{d,j} W_{l+1}[d,j,i] L_l[b,2(t+d),j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{d=1}^{D-1} sum_j W_{l+1}[d,j,i] L_l[b,2t+d,j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{d,j} (W_{l+1}[d,j,i] L_l[b,2t+d,j] - B_{l+1}[i]))
""",
        "ill-typed": r"""
L_{l+1}[b,t,i] = sigma(sum_{d=0}^{-1} sum_j W_{l+1}[d,j,i] L_l[b,2t+d,j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{d=1}^{0} sum_j W_{l+1}[d,j,i] L_l[b,2t+d,j] - B_{l+1}[i])
""",
    },
    "blank_lm_equation": {
        "equal": r"""
P(w_t | rest) = softmax_{w_t}[e[w_t]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])]
P(w|context) = softmax_w [e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J]]
P = torch.softmax(e @ W_fwd @ h_fwd[t-1] + e @ W_bwd @ h_bwd[t+1], dim=0)
P = softmax(e (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1]), dim=-1)
P(w_t \mid w_1,\dots,w_{t-1},w_{t+1},\dots,w_T) = \underset{w_t}{\text{softmax}}\; e[w_t]^\top\left(\vec W \vec h_{t-1} + \tilde W \tilde h_{t+1}\right)
P(w_t|\text{rest}) = \frac{\exp(e[w_t]^\top (\vec W \vec h_{t-1} + \tilde W \tilde h_{t+1}))}{\sum_{w} \exp(e[w]^\top (\vec W \vec h_{t-1} + \tilde W \tilde h_{t+1}))}
P(w_t|rest) = softmax_{w_t}[s[w_t]], s[w] = e[w]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])
P(w_t|rest) = exp(s(w_t)) / sum_w exp(s(w)), where s(w) = e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t | rest) = softmax_{w_t}[<e[w_t], W_fwd h_fwd[t-1]> + <e[w_t], W_bwd h_bwd[t+1]>]
P(w_t | rest) = softmax_{w}[e[w_t]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])]
P = nn.Softmax(dim=-1)(e @ W_fwd @ h_fwd[t-1] + e @ W_bwd @ h_bwd[t+1])
P(w_t|rest) = softmax over w_t of [e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]
""",
        "different": r"""
P(w_t | rest) = softmax_{w_t}[e[w_t]^T (W_fwd h_fwd[t] + W_bwd h_bwd[t])]
P = softmax(e @ W_fwd @ h_fwd[t-1] * (e @ W_bwd @ h_bwd[t+1]))
P = nn.Softmax(dim=-1)(e @ W_fwd @ h_fwd[t] + e @ W_bwd @ h_bwd[t])
P(w_t|rest) = sigmoid(e[w_t]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1]))
P(w_t | rest) = softmax_{w_t}[e[w_t]^T W_fwd h_fwd[t-1]] e[w_t]^T W_bwd h_bwd[t+1]
""",
        "ill-typed": r"""
P(w_t|rest) = softmax_{u}[e[w_t]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])]
P = softmax(W_fwd @ h_fwd[t-1] + W_bwd @ h_bwd[t+1])
P(w_t|rest) = softmax_{I}[e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]
""",
    },
    "final_output": {
        "equal": r"""
Y_T = sigmoid(1000 * (sum_{t=1}^T (-1)^t X_t + H_0))
Y_T = sigmoid(1000(sum_{t even} X_t - sum_{t odd} X_t + H_0))
Y_T = 1/(1+exp(-1000(sum_{t=1}^T (-1)^t X_t + H_0)))
Y_T = \sigma\left(1000\left(H_0 + \sum_{i=1}^{T/2} (X_{2i} - X_{2i-1})\right)\right)
Y_T = sigmoid(1000 H_T), H_T = H_0 + sum_{i=1}^{T/2} (X_{2i} - X_{2i-1})
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^{T-t} X_t + H_0)) since T is even
Y_T = sigmoid(1000*(X[2::2].sum() - X[1::2].sum() + H_0))
Y_T = sigmoid(1000*(np.sum(X[1::2]) - np.sum(X[::2]) + H_0))
""",
        "different": r"""
Y_T = sigmoid(1000 (H_0 + X_1 - X_2 + X_3 - ... - X_T))
Y_T = sigmoid(1000 (sum_{t=1}^T (-1)^{t+1} X_t + H_0))
Y_T = sigmoid(1000 (sum_{t odd} X_t - sum_{t even} X_t + H_0))
Y_T = sigmoid(1000*(X[1::2].sum() - X[2::2].sum() + H_0))
Y_T = sigmoid(sum_{t=1}^T (-1)^t X_t + H_0)
Y_T = tanh(1000 (sum_{t=1}^T (-1)^t X_t + H_0))
""",
    },
    "stacked_layer_equation": {
        "equal": r"""
H_l = FF([H_{l,1}; ...; H_{l,n}])
H_l = FF(concat(H_{l,1}, ..., H_{l,n}))
H_l = FF(sum_h delta_h (x) H_{l,h})
H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}] + b_ff)
H_l = FF(torch.cat([H_{l,1}, ..., H_{l,n}], dim=0))
H_l = FF(C), where C = [H_{l,1}; ...; H_{l,n}]
C = concat_h H_{l,h} // H_l = FF(C)
\mathbf H_\ell = \mathrm{FF}\left(\sum_{h} \delta_h \otimes \mathbf H_{\ell,h}\right)
H_l = sigmoid(W_ff C + b_ff), C = concat(H_{l,1},...,H_{l,n})
H_l = FF(vstack(H_{l,1}, ..., H_{l,n}))
""",
        "different": r"""
H_l = FF([H_{l,n}; ...; H_{l,1}])
H_l = W_ff [H_{l,1}; ...; H_{l,n}] + b_ff
""",
        "ill-typed": r"""
H_l = sum_h FF(H_{l,h})
H_l = FF(H_{l,1} + ... + H_{l,n})
H_l = [FF(H_{l,1}); ...; FF(H_{l,n})]
H_l = [H_{l,1}; ...; H_{l,n}]
H_l = FF([H_{l,1}, ..., H_{l,n}])
H_l = FF(mean_h H_{l,h})
""",
    },
    "caption_equations": {
        "equal": r"""
V = sum(alpha[x, y] * M[x, y] for x in range(X) for y in range(Y))
V = (alpha[..., None] * M).sum((0, 1))
V = (alpha[:, :, None] * M).sum(dim=(0, 1))
V = (alpha.unsqueeze(-1) * M).sum(axis=(0, 1))
V[K] = sum_{x,y} alpha[x,y] M[x,y,K], sum over all positions x, y
V[K] = sum_{x,y} alpha[x,y] M[x,y,K], i.e. a weighted average of the features
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I]) // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J]
1. P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // 2. alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // 3. V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // 4. h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
P(w|w_1,...,w_{t-1}) = softmax_{w} e[w,I] W_auto[I,J] h[t-1,J] // alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h_t = CELL(h_{t-1}, V, e[w_t])
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha[x,y] = exp(h[t-1]^T W_key M[x,y]) / sum_{x',y'} exp(h[t-1]^T W_key M[x',y']) // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha = softmax(einsum("j,jk,xyk->xy", h[t-1], W_key, M)) # over x and y // V = einsum("xy,xyk->k", alpha, M) // h[t] = CELL(h[t-1], V, e[w[t]])
""",
        "different": r"""
V = (alpha[..., None] * M).mean((0, 1))
V = M.sum((0, 1))
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha[x,y] = softmax_{y} h[t-1,J] W_key[J,K] M[x,y,K] // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h[t,J] = CELL(h[t-1,J], V[K], e[w_{t-1},I])
""",
        "ill-typed": r"""
V = (alpha[..., None] * M).sum(0)
V = (alpha[..., None] * M).sum((0, 2))
V = sum(alpha[x, y] * M[x, y] for x in range(Y) for y in range(X))
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // V[K] = sum_{x} alpha[x,y] M[x,y,K] // h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h[t,J] = CELL(V[K], h[t-1,J], e[w_t,I])
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha = softmax(M @ (W_key.T @ h[t-1])) over y // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
P(w_t|w_1,...,w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // alpha = softmax(M @ (W_key.T @ h[t-1]), dim=-1) // V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
""",
    },
    "spatial_equations": {
        "equal": r"""
h_out = torch.cat([Out[k] for k in range(K)], dim=-1)
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U] // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
Query[k,x,y] = WQ[k] h_in[x,y] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U] // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y] = concat(Out[1,x,y], ..., Out[K,x,y])
Query = einsum("kuj,xyj->kxyu", WQ, h_in) // Key = einsum("kuj,xyj->kxyu", WK, h_in) // alpha = softmax(einsum("kxyu,kabu->kxyab", Query, Key), dim=(-2,-1)) // Value = einsum("kij,xyj->kxyi", WV, h_in) // Out = einsum("kxyab,kabi->kxyi", alpha, Value) // h_out[x,y] = concat_k Out[k,x,y]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x,y,a,b] = exp(<Query[k,x,y], Key[k,a,b]>) / sum_{c,d} exp(<Query[k,x,y], Key[k,c,d]>) // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
""",
        "different": r"""
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x1,y1,x2,y2] = softmax_{x1,y1} Query[k,x1,y1,U] Key[k,x2,y2,U] // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x1,y1,x2,y2] = softmax_{x2} Query[k,x1,y1,U] Key[k,x2,y2,U] // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U] // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x',y',x,y] Value[k,x',y',I] // h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha = softmax(einsum("kxyu,kabu->kxyab", Query, Key), dim=-1) // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
""",
        "ill-typed": r"""
h_out = torch.cat([Out[k] for k in range(K)], dim=0)
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U] // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y,J] = sum_k Out[k,x,y,I]
""",
    },
}
