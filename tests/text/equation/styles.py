"""Answers in the styles of papers, lecture notes, code and textbooks, each with the verdict it must get.

The verdicts were written down before any of these answers was tried; see labelled.py for the form.
"""

from __future__ import annotations

SPATIAL = {
    "equal": r"""
Query[k,x,y] = WQ[k] h_in[x,y]
Key[k,x,y] = W^K[k] h_{in}[x,y]
Value[k,x,y,:] = WV[k,:,:] h_in[x,y,:]
Query[k,x,y,:] = WQ[k] @ h_in[x,y]
Key = torch.einsum('kuj,xyj->kxyu', WK, h_in)
Value = np.einsum("kij,xyj->kxyi", WV, h_in)
Query = einsum('xyj,kuj->kxyu', h_in, WQ)
\text{Query}_k[x,y] = W^Q_k\, h_{\text{in}}[x,y]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2}(Query[k,x1,y1]^T Key[k,x2,y2])
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1] · Key[k,x2,y2]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2}(Query[k,x1,y1] @ Key[k,x2,y2])
alpha[k,x,y,x',y'] = softmax_{x',y'} \langle \text{Query}[k,x,y], \text{Key}[k,x',y'] \rangle
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,:] · Key[k,x2,y2,:]
\alpha[k,x_1,y_1,x_2,y_2] = \frac{\exp(s[k,x_1,y_1,x_2,y_2])}{\sum_{x,y}\exp(s[k,x_1,y_1,x,y])}, \quad \text{where } s[k,x_1,y_1,x_2,y_2] = \text{Query}[k,x_1,y_1,U]\,\text{Key}[k,x_2,y_2,U]
Out[k,x,y] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y']
Out = torch.einsum('kxyab,kabi->kxyi', alpha, Value)
Out[k,x,y,i] = np.einsum('kxyab,kabi->kxyi', alpha, Value)[k,x,y,i]
Out[k,x,y,:] = sum_{x2} sum_{y2} alpha[k,x,y,x2,y2] * Value[k,x2,y2,:]
h_out[x,y] = [Out[1,x,y]; ...; Out[K,x,y]]
h_out[x,y] = concat_k Out[k,x,y]
h_out[x,y] = concat(Out[1,x,y], ..., Out[K,x,y])
h_{\text{out}}[x,y] = \big\|_{k=1}^{K} \text{Out}[k,x,y]
h_out[x,y,:] = torch.cat([Out[1,x,y,:], ..., Out[K,x,y,:]])
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] for all k, x, y
**Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]**
- Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] (the keys)
Q[k,x,y] = W^Q[k] h_in[x,y] // K[k,x,y] = W^K[k] h_in[x,y] // V[k,x,y] = W^V[k] h_in[x,y]
\mathrm{Query}[k,x,y,u] = \sum_{j=1}^{J} W^{Q}[k,u,j]\; h_{\mathrm{in}}[x,y,j] \quad \forall k,x,y
Query[k, x, y, :] = torch.matmul(WQ[k], h_in[x, y])
Key[k,x,y,u] = (WK[k] @ h_in[x,y])[u]
alpha[k,x1,y1,x2,y2] = exp(Query[k,x1,y1]·Key[k,x2,y2]) / sum_{x,y} exp(Query[k,x1,y1]·Key[k,x,y])
\alpha[k,x,y,x',y'] = \frac{\exp\left(\mathrm{Query}[k,x,y]^\top \mathrm{Key}[k,x',y']\right)}{\sum_{a,b}\exp\left(\mathrm{Query}[k,x,y]^\top \mathrm{Key}[k,a,b]\right)}
Let s[k,x,y,a,b] = Query[k,x,y]^T Key[k,a,b]. Then alpha[k,x,y,a,b] = softmax_{a,b} s[k,x,y,a,b].
Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{a,b} alpha[k,x,y,a,b] Value[k,a,b,I]
Out[k,x,y] = \sum_{a=1}^{X} \sum_{b=1}^{Y} \alpha[k,x,y,a,b] \, \mathrm{Value}[k,a,b]
h_out[x,y] = torch.cat([Out[0,x,y], ..., Out[K-1,x,y]], dim=-1)
h_{\text{out}}[x,y] = \left[\text{Out}[1,x,y]; \text{Out}[2,x,y]; \ldots; \text{Out}[K,x,y]\right]
h_out[x,y,:] = np.concatenate([Out[1,x,y,:], Out[2,x,y,:], ..., Out[K,x,y,:]])
""",
    "different": r"""
Query[k,x,y] = WK[k] h_in[x,y]
Key = torch.einsum('kuj,xyj->kxyu', WQ, h_in)
Query[k,x,y,:] = WQ[k] @ h_in[x,y] / sqrt(U)
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2}(Query[k,x1,y1]^T Key[k,x2,y2] / sqrt(U))
alpha[k,x1,y1,x2,y2] = softmax_{x1,y1} Query[k,x1,y1] · Key[k,x2,y2]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x2,y2] · Key[k,x1,y1]
alpha[k,x1,y1,x2,y2] = softmax(Query[k,x1,y1,U] Key[k,x2,y2,U], dim=-1)
alpha[k,x1,y1,x2,y2] = \frac{\exp(Query[k,x1,y1] · Key[k,x2,y2])}{\sum_{y2} \exp(Query[k,x1,y1] · Key[k,x2,y2])}
Out[k,x,y] = sum_{x',y'} alpha[k,x',y',x,y] Value[k,x',y']
Out = torch.einsum('kabxy,kabi->kxyi', alpha, Value)
Out[k,x,y] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x,y]
h_out[x,y] = [Out[K,x,y]; ...; Out[1,x,y]]
alpha[k,x,y,x',y'] = \frac{\exp\left(Query[k,x,y]^\top Key[k,x',y']\right)}{\sum_{x,y}\exp\left(Query[k,x,y]^\top Key[k,x',y']\right)}
Out[k,x,y] = \sum_{a,b} \alpha[k,a,b,x,y] \, \mathrm{Value}[k,a,b]
Query[k,x,y] = -W^Q[k] h_in[x,y]
h_out[x,y] = torch.cat([Out[K-1,x,y], ..., Out[0,x,y]])
alpha[k,x1,y1,x2,y2] = softmax_{x2} Query[k,x1,y1] @ Key[k,x2,y2]
""",
    "ill-typed": r"""
Query[k,x,y,U] = WQ[k] h_in[x,y]
Query[k,x,y] = WQ[k]^T h_in[x,y]
Query[k,x,y] = h_in[x,y] WQ[k]
Query = WQ @ h_in
Key = torch.einsum('kju,xyj->kxyu', WK, h_in)
Key = torch.einsum('kuj,xyj->kxyj', WK, h_in)
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1] Key[k,x2,y2]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1] · Value[k,x2,y2]
Out[k,x,y] = alpha[k,x,y,x',y'] Value[k,x',y']
Out[k,x,y] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',i]
h_out[x,y] = sum_k Out[k,x,y]
h_out[x,y] = Out[k,x,y]
Out[k,x,y] = \sum_{a} \alpha[k,x,y,a,b] \, \mathrm{Value}[k,a,b]
Query[k,x,y,u] = (WQ[k] @ h_in[x,y])
alpha[k] = softmax(Query[k] Key[k]^T)
Key[k,x,y] = WK[k] h_in[x]
h_out[x,y] = Out[1,x,y] + Out[2,x,y]
""",
    "unparseable": r"""
every place asks every other place for its value
Query = the query matrix applied to the input
Key = torch.einsum('kuj,xyj->kxyu', WK, h_in
Out[k,x,y] = the weighted sum of the values
""",
}
BLANK = {
    "equal": r"""
P(w_t | rest) = softmax_{w_t} [ e[w_t]^T W_fwd h_fwd[t-1] + e[w_t]^T W_bwd h_bwd[t+1] ]
P(w_t \mid \cdot) = \operatorname{softmax}_{w_t}\left( e[w_t]^\top \vec W \vec h_{t-1} + e[w_t]^\top \tilde W \tilde h_{t+1} \right)
P(w_t \mid w_{\neq t}) = \frac{\exp\left(e[w_t]^\top (\vec W \vec h_{t-1} + \tilde W \tilde h_{t+1})\right)}{\sum_{w} \exp\left(e[w]^\top (\vec W \vec h_{t-1} + \tilde W \tilde h_{t+1})\right)}
P(w_t | rest) = softmax_w [ e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t | rest) = softmax_{w} e[w]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])
P(w_t | rest) = softmax(e W_fwd h_fwd[t-1] + e W_bwd h_bwd[t+1])[w_t]
P = softmax(e (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1]))
P = torch.softmax(e @ (W_fwd @ h_fwd[t-1] + W_bwd @ h_bwd[t+1]), dim=-1)
P = softmax(e @ W_fwd @ h_fwd[t-1] + e @ W_bwd @ h_bwd[t+1], dim=0)
P(w_t | rest) = softmax_{w_t}(e[w_t] @ W_fwd @ h_fwd[t-1] + e[w_t] @ W_bwd @ h_bwd[t+1])
P(w_t|rest) = softmax_{w_t}( <e[w_t], W_fwd h_fwd[t-1]> + <e[w_t], W_bwd h_bwd[t+1]> )
P(w_t|rest) = \text{softmax}_{w_t}\; e_{w_t}^\top \vec{W} \vec{h}_{t-1} + e_{w_t}^\top \tilde{W} \tilde{h}_{t+1}
P(w_t|rest) = softmax_{w_t} [ e[w_t,:] · (W_fwd h_fwd[t-1,:] + W_bwd h_bwd[t+1,:]) ]
P(w_t|rest) = softmax_{w_t} z[w_t], where z[w] = e[w,I] (W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J])
P(w_t | w_1, ..., w_{t-1}, w_{t+1}, ..., w_T) = softmax_{w_t}( e[w_t]^T ( W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1] ) )
p(w_t \mid \text{rest}) = \mathrm{softmax}_{w_t}\big( e[w_t]\cdot(\vec W \vec h_{t-1} + \tilde W \tilde h_{t+1}) \big)
P(w_t | rest) = exp(z[w_t]) / sum_w exp(z[w]), z[w] = e[w]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])
P(w_t|rest) = \frac{e^{s(w_t)}}{\sum_{w} e^{s(w)}}, \quad s(w) = e[w]^\top \vec{W}\vec{h}_{t-1} + e[w]^\top \tilde{W}\tilde{h}_{t+1}
P = softmax(e @ (W_fwd @ h_fwd[t-1] + W_bwd @ h_bwd[t+1]))
P(w_t | rest) = softmax_{w_t} (sum_{i} e[w_t,i] u[i]) where u[i] = sum_j (W_fwd[i,j] h_fwd[t-1,j] + W_bwd[i,j] h_bwd[t+1,j])
P(w_t = w | rest) = softmax_w e[w]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])
""",
    "different": r"""
P(w_t | rest) = softmax_{w_t} [ e[w_t]^T W_fwd h_fwd[t] + e[w_t]^T W_bwd h_bwd[t] ]
P(w_t | rest) = softmax_w [ e[w,I] W_fwd[I,J] h_fwd[t+1,J] + e[w,I] W_bwd[I,J] h_bwd[t-1,J] ]
P = softmax(e W_fwd h_fwd[t-1])
P = softmax(e @ W_fwd @ h_fwd[t-1]) + softmax(e @ W_bwd @ h_bwd[t+1])
P = e (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])
P = torch.sigmoid(e @ (W_fwd @ h_fwd[t-1] + W_bwd @ h_bwd[t+1]))
P(w_t | rest) = softmax_{w_t} [ e[w_t]^T W_bwd h_fwd[t-1] + e[w_t]^T W_fwd h_bwd[t+1] ]
P(w_t|rest) = \text{softmax}_{w_t}( e_{w_t}^\top \vec{W} \vec{h}_{t-1} ) + e_{w_t}^\top \tilde{W} \tilde{h}_{t+1}
P(w_t | rest) = softmax_{w_t} [ (e[w_t]^T W_fwd h_fwd[t-1]) (e[w_t]^T W_bwd h_bwd[t+1]) ]
P = softmax(e @ (W_fwd @ h_fwd[t-1] - W_bwd @ h_bwd[t+1]))
P(w_t|rest) = \frac{e^{s(w_t)}}{\sum_{w} e^{s(w)}}, \quad s(w) = e[w]^\top \vec{W}\vec{h}_{t} + e[w]^\top \tilde{W}\tilde{h}_{t}
P(w_t | rest) = exp(z[w_t]) , z[w] = e[w]^T (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1])
P(w_t | rest) = softmax_{w_t}( e[w_t]^T W_fwd h_fwd[t-1] ) * softmax_{w_t}( e[w_t]^T W_bwd h_bwd[t+1] )
""",
    "ill-typed": r"""
P(w_t | rest) = softmax_{w_t} [ e[w_t]^T h_fwd[t-1] + e[w_t]^T h_bwd[t+1] ]
P(w_t | rest) = softmax_{w_t} [ h_fwd[t-1]^T W_fwd e[w_t] + h_bwd[t+1]^T W_bwd e[w_t] ]
P(w_t | rest) = softmax(e (W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1]))
P = softmax(e^T W_fwd h_fwd[t-1] + e^T W_bwd h_bwd[t+1])
P(w_t | rest) = softmax_v [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t | rest) = softmax_{w_t} [ W_fwd h_fwd[t-1] + W_bwd h_bwd[t+1] ]
P = softmax(e W_fwd h_fwd + e W_bwd h_bwd)
P(w_t | rest) = softmax_{w_t} e[w_t]^T W_fwd [h_fwd[t-1]; h_bwd[t+1]]
P = softmax((W_fwd @ h_fwd[t-1] + W_bwd @ h_bwd[t+1]) @ e)
P(w_t | rest) = softmax_{w_t}( W_fwd e[w_t] h_fwd[t-1] + W_bwd e[w_t] h_bwd[t+1] )
P = softmax(e @ [W_fwd @ h_fwd[t-1]; W_bwd @ h_bwd[t+1]])
""",
    "unparseable": r"""
a softmax over the words of both scores
P(w_t | rest) = softmax over the vocabulary of the two scores
P(w_t | rest) = softmax_{w_t} [ e[w_t]^T W_fwd h_fwd[t-1] + e[w_t]^T W_bwd h_bwd[t+1]
""",
}
CAPTION = {
    "equal": r"""
P(w_t | w_1..w_{t-1}) = softmax_{w_t} e[w_t]^T W_auto h[t-1]
P(w_t \mid w_{<t}) = \operatorname{softmax}_{w_t} e_{w_t}^\top W^{\text{auto}} h_{t-1}
P = softmax(e W_auto h[t-1])
P = torch.softmax(e @ W_auto @ h[t-1], dim=0)
P(w_t | w_<t) = softmax_w e[w,I] W_auto[I,J] h[t-1,J]
alpha[x,y] = softmax_{x,y} h[t-1]^T W_key M[x,y]
\alpha[x,y] = \operatorname{softmax}_{x,y}\left( h_{t-1}^\top W^{\text{key}} M[x,y] \right)
alpha[x,y] = softmax_{x,y}(h[t-1] @ W_key @ M[x,y])
alpha[x,y] = softmax_{x,y} <h[t-1], W_key M[x,y]>
\alpha[x,y] = \frac{\exp(h_{t-1}^\top W^{\text{key}} M[x,y])}{\sum_{x',y'} \exp(h_{t-1}^\top W^{\text{key}} M[x',y'])}
V = sum_{x,y} alpha[x,y] M[x,y]
V = \sum_{x=1}^{X}\sum_{y=1}^{Y} \alpha[x,y]\, M[x,y]
V = torch.einsum('xy,xyk->k', alpha, M)
V[k] = np.einsum('xy,xyk->k', alpha, M)[k]
V[:] = sum_{x,y} alpha[x,y] M[x,y,:]
h[t] = CELL(h[t-1], V, e[w_t])
h_t = \text{CELL}_\Phi(h_{t-1}, V, e_{w_t})
h[t,J] = CELL(h[t-1,J], V, e[w_t,I])
h[t,:] = CELL(h[t-1,:], V[:], e[w[t],:])
1. P(w_t | past) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J] // 2. alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] // 3. V[K] = sum_{x,y} alpha[x,y] M[x,y,K] // 4. h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
alpha[x,y] = exp(s[x,y]) / sum_{a,b} exp(s[a,b]), where s[x,y] = h[t-1]^T W_key M[x,y]
\alpha[x,y] = \operatorname{softmax}_{x,y} \left\langle h_{t-1}, W^{\text{key}} M[x,y] \right\rangle
V = np.einsum('xy,xyk->k', alpha, M)
V[k] = (alpha * M[:,:,k]).sum()
h[t] = CELL(h[t-1], sum_{x,y} alpha[x,y] M[x,y], e[w[t]])
P(w_t | w_{1:t-1}) = softmax_{w_t}(e[w_t] · W_auto h[t-1])
P(w_{t+1}|x) = softmax_{w_{t+1}} e[w_{t+1},I] W_auto[I,J] h[t,J]
""",
    "different": r"""
P = softmax(e W_auto h[t])
P(w_t | w_<t) = softmax_w e[w,I] W_auto[I,J] h[t,J]
alpha[x,y] = softmax_{x} h[t-1]^T W_key M[x,y]
alpha[x,y] = softmax(h[t-1,J] W_key[J,K] M[x,y,K], dim=1)
alpha[x,y] = softmax(h[t-1,J] W_key[J,K] M[x,y,K], dim=0)
alpha[x,y] = h[t-1]^T W_key M[x,y]
V = sum_{x,y} M[x,y]
V = torch.einsum('xy,xyk->k', alpha, M) / (X * Y)
h[t] = CELL(h[t-1], V, e[w_{t-1}])
h[t] = CELL(h[t], V, e[w_t])
h_t = tanh(CELL(h_{t-1}, V, e_{w_t}))
V = np.einsum('xy,xyk->k', alpha, M) / np.einsum('xy->', alpha * alpha)
alpha[x,y] = exp(s[x,y]) / sum_{b} exp(s[x,b]), where s[x,y] = h[t-1]^T W_key M[x,y]
V[k] = (alpha * M[:,:,k]).mean()
h[t] = CELL(h[t-1], V, e[w[t+1]])
P(w_t | w_{1:t-1}) = softmax_{w_t}(e[w_t] · W_auto h[t-1]) + 1
P(w_{t+1}|x) = softmax_{w_{t+1}} e[w_{t+1},I] W_auto[I,J] h[t-1,J]
""",
    "ill-typed": r"""
P(w_t | w_<t) = softmax_{w_t} e[w_t]^T W_auto^T h[t-1]
P(w_t | w_<t) = softmax_{w_t} e[w_t]^T h[t-1]
alpha[x,y] = softmax_{x,y} M[x,y]^T W_key h[t-1]
alpha[x,y] = softmax(h[t-1,J] W_key[J,K] M[x,y,K])
V[k] = sum_{x,y} alpha[x,y] M[x,y]
V = sum_{x} alpha[x,y] M[x,y]
V = torch.einsum('xy,yxk->k', alpha, M)
V = alpha[x,y] M[x,y]
h[t] = CELL(V, h[t-1], e[w_t])
h[t] = CELL(h[t-1], V)
h[t] = CELL(h[t-1], M[x,y], e[w_t])
h[t,j] = sum_{x,y} alpha[x,y] M[x,y]
V = np.einsum('xy,xyk->xk', alpha, M)
V = (alpha * M).sum()
alpha = softmax_{x,y} ( h[t-1] @ W_key @ M[x,y] )
h[t] = CELL(h[t-1], alpha, e[w_t])
V[k] = sum_{x,y} alpha[x,y] M[x,y,:]
P(w_{t+1}|x) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J]
""",
    "unparseable": r"""
alpha = attention weights over the picture
the image is summed with the weights alpha
V = sum_{x,y} alpha[x,y] M[x,y
""",
}
EMBEDDING = {
    "equal": r"""
L_0[b,t] = e[w[b,t]]
L_0[b,t,:] = e[w[b,t],:]
L_0[b,t] = e[w[b,t],:]
L_0[b,t,:] = e[w[b,t]]
L_0[b][t] = e[w[b][t]]
L_0[b,t,i] = e[w[b,t]][i]
L_0 = e[w]
L_0[b] = e[w[b]]
L_{0}[b,t] = e_{w_{b,t}}
\mathbf{L}_0[b,t,\cdot] = \mathbf{e}[w[b,t],\cdot]
L_0[b,t] = e^T onehot(w[b,t])
L_0[b,t,i] = sum_v onehot(w[b,t])[v] e[v,i]
L_0[b,t] = \mathrm{onehot}(w[b,t])^\top e
L_0[b,t,i] = e[w[b,t],i] for all b, t and i
`L_0[b,t,i] = e[w[b,t],i]`
Answer: L_0[b,t,i] = e[w[b,t],i]
L_0[b, t, :] = e[w[b, t], :]  # row of the table
\mathbf{L}_0[b,t] = \mathbf{e}_{w[b,t]}
L_0[b,t] := e[w_{bt}]
L_0[b,t,i] = \sum_{v=1}^{W} \mathrm{onehot}(w[b,t])[v]\, e[v,i]
L_0 = e[w, :]
""",
    "different": r"""
L_0[b,t] = e[w[b,t-1]]
L_0[b,t] = e[w[b,t]] / sqrt(I)
L_0 = 2 e[w]
L_0[b,t] = softmax(e[w[b,t]])
L_0[b,t] = e[w[b,t]] + e[w[b,t]]
L_0[b,t] = tanh(e[w[b,t],:])
L_0[b,t] = e[w[b,t+1]]
L_0[b,t] = relu(e[w[b,t]])
""",
    "ill-typed": r"""
L_0[b,t,i] = e[w[b,t],:]
L_0[b,t] = e[w[t]]
L_0[b,t] = e[w[t,b]]
L_0[b,t] = w[b,t]
L_0[b,t] = e[:,w[b,t]]
L_0[b,t] = e[w[b,t],i]
L_0[b,t] = e onehot(w[b,t])
L_0 = w[e]
L_0 = e
L_0[t] = e[w[b]]
L_0[b,t,i] = w[b,t]
L_0[b,t] = e[b,t]
L_0 = e[:, w]
L_0 = e @ w
L_0[b,t] = e w[b,t]
L_0[t] = e[w[t]]
""",
    "unparseable": r"""
the row of e that belongs to the word
L_0 is the embedding of the words
L_0[b,t] = e[w[b,t]
L_0 = the embedding matrix indexed by the words
""",
}
LAYER = {
    "equal": r"""
L_{l+1}[b,t] = sigma( sum_{dt} W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1} )
L_{l+1}[b,t,:] = sigma( sum_{dt} L_l[b,2t+dt,:] @ W_{l+1}[dt,:,:] - B_{l+1}[:] )
L_{\ell+1}[b,t] = \sigma\Big( \sum_{\Delta t} W_{\ell+1}[\Delta t]^\top L_\ell[b,2t+\Delta t] - B_{\ell+1} \Big)
L_{l+1}[b,t,i] = sigma( sum_{dt} <W_{l+1}[dt,:,i], L_l[b,2t+dt,:]> - B_{l+1}[i] )
L_{l+1}[b,t] = sigma( sum_{dt} L_l[b,2t+dt] W_{l+1}[dt] - B_{l+1} )
L_{l+1}[b,t,i] = sigma(sum_{dt=0}^{D-1} sum_{i'} W_{l+1}[dt,i',i] L_l[b,2*t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(a[b,t,i] - B_{l+1}[i]) where a[b,t,i] = sum_{dt,c} W_{l+1}[dt,c,i] L_l[b,2t+dt,c]
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]), where dt runs over the window
L_{\ell+1}[b,t,i] = \sigma\Bigl(\sum_{\delta=0}^{D-1}\sum_{c} W_{\ell+1}[\delta,c,i]\, L_\ell[b,2t+\delta,c] - B_{\ell+1}[i]\Bigr)
L_{l+1}[b,t,i] = sigma(z - B_{l+1}[i]), z = sum_{dt,c} W_{l+1}[dt,c,i] L_l[b,2t+dt,c]
L_{\ell+1}[b,t,:] = \sigma\left(\sum_{\Delta t=0}^{D-1} W_{\ell+1}[\Delta t]^\top L_\ell[b,2t+\Delta t] - B_{\ell+1}\right)
L_{l+1}[b,t,i] = sigma(sum_{d=0}^{D-1} (L_l[b,2t+d,:] @ W_{l+1}[d,:,i]) - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(np.einsum('dc,dc->', W_{l+1}[:,:,i], W_{l+1}[:,:,i]) * 0 + sum_{dt,c} W_{l+1}[dt,c,i] * L_l[b,2t+dt,c] - B_{l+1}[i])
""",
    "different": r"""
L_{l+1}[b,t] = sigma( sum_{dt} W_{l+1}[dt]^T L_l[b,t+dt] - B_{l+1} )
L_{l+1}[b,t] = sigma( sum_{dt} W_{l+1}[dt]^T L_l[b,2t+dt] + B_{l+1} )
L_{l+1}[b,t] = sum_{dt} W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1}
L_{l+1}[b,t] = relu( sum_{dt} W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1} )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,i,j] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,i] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,t,j] - B_{l+1}[i] )
L_{l+1}[b,t] = sigma( sum_{dt} (W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1}) )
L_{l+1}[b,t,i] = sigma(z) - B_{l+1}[i], z = sum_{dt,c} W_{l+1}[dt,c,i] L_l[b,2t+dt,c]
L_{l+1}[b,t] = sigma(sum_{dt} W_{l+1}[dt]^T L_l[b,2t-dt] - B_{l+1})
L_{l+1}[b,t] = sigma(sum_{dt} W_{l+1}[D-1-dt]^T L_l[b,2t+dt] - B_{l+1})
""",
    "ill-typed": r"""
L_{l+1}[b,t,i] = sigma( sum_{dt} W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1} )
L_{l+1}[b,t] = sigma( W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1} )
L_{l+1}[t] = sigma( sum_{dt} W_{l+1}[dt]^T L_l[2t+dt] - B_{l+1} )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[j,dt,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t] = sigma( sum_{dt} W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1}[i] )
L_{l+1}[b,t] = sigma(sum_{dt} W_{l+1} L_l[b,2t+dt] - B_{l+1})
L_{l+1}[b,t] = sigma(sum_{dt} W_{l+1}[dt] L_l[b,2t+dt] B_{l+1})
L_{l+1}[b,t,i] = sigma(sum_{dt} W_{l+1}[dt,:,i] * L_l[b,2t+dt,:] - B_{l+1}[i])
""",
    "unparseable": r"""
convolve with stride two and subtract the bias
L_{l+1}[b,t] = sigma( sum_{dt} W_{l+1}[dt]^T L_l[b,2t+dt] - B_{l+1}
L_{l+1} = strided convolution of the layer below minus the bias
""",
}
MERGED = {
    "equal": r"""
W_tilde = torch.einsum('kia,kib->kab', WQ, WK) / sqrt(I)
W_tilde = np.einsum("kia,kib->kab", WQ, WK) / np.sqrt(I)
W_tilde = torch.einsum("kij,kil->kjl", WQ, WK) * I**-0.5
W_tilde = WQ.transpose(1, 2) @ WK / math.sqrt(I)
W_tilde = WQ.mT @ WK / I**0.5
W_tilde = WQ.transpose(-1,-2) @ WK / math.sqrt(I)
W_tilde = torch.matmul(WQ.transpose(-2,-1), WK) / math.sqrt(I)
W_tilde = torch.bmm(WQ.mT, WK) / I**0.5
W_tilde = WQ.swapaxes(1, 2) @ WK / np.sqrt(WQ.shape[1])
W_tilde = WQ.permute(0,2,1) @ WK / math.sqrt(I)
W_tilde[k] = WQ[k].T @ WK[k] / math.sqrt(I)
W_tilde[k] = np.dot(WQ[k].T, WK[k]) / np.sqrt(I)
W_tilde[k,:,:] = (WQ[k,:,:].T @ WK[k,:,:]) / np.sqrt(I)
W_tilde[k,j1,j2] = (WQ[k,:,j1] * WK[k,:,j2]).sum() / sqrt(I)
W_tilde[k,j1,j2] = WQ[k,:,j1] @ WK[k,:,j2] / sqrt(I)
W_tilde[k,j1,j2] = <WQ[k,:,j1], WK[k,:,j2]> / sqrt(I)
W_tilde[k,j1,j2] = WQ[k,:,j1] · WK[k,:,j2] ÷ sqrt(I)
\tilde{W}^Q[k,j_1,j_2] = \nicefrac{1}{\sqrt{I}}\, W^Q[k,I,j_1] W^K[k,I,j_2]
\tilde{W}^Q[k,j_1,j_2] = I^{-½} W^Q[k,I,j_1] W^K[k,I,j_2]
\tilde{W}^Q_k = \frac{{W_k^Q}^\top W_k^K}{\sqrt{I}}
\tilde W_k = \frac{1}{\sqrt I} W_k^{Q\top} W_k^K
W_tilde[k,j1,j2] = sum_i WQ[k,i,j1] WK[k,i,j2] \div sqrt(I)
W_tilde[k] = c WQ[k]^T WK[k], where c = 1/sqrt(I)
Let c = I^(-1/2). Then W_tilde[k,j1,j2] = c sum_i WQ[k,i,j1] WK[k,i,j2]
\tilde{W}^Q[k] = \tfrac{1}{\sqrt{I}} W^Q[k]^\top W^K[k]
W_tilde[k,j1,j2] = np.sum(WQ[k,:,j1] * WK[k,:,j2]) / np.sqrt(I)
W_tilde[k,j1,j2] = torch.dot(WQ[k,:,j1], WK[k,:,j2]) / math.sqrt(I)
W_tilde[k] = 1/sqrt(I) * WQ[k].T @ WK[k]
W_tilde = torch.einsum('k i a, k i b -> k a b', WQ, WK) / I ** 0.5
W_tilde = np.matmul(np.transpose(WQ, (0, 2, 1)), WK) / np.sqrt(I)
W_tilde = torch.transpose(WQ, 1, 2) @ WK * I**(-0.5)
W̃^Q[k,j₁,j₂] = (1/√I) Σᵢ W^Q[k,i,j₁] W^K[k,i,j₂]
\tilde{W}^Q_{k,j_1,j_2} = \frac{1}{\sqrt{I}}\sum_i W^Q_{k,i,j_1} W^K_{k,i,j_2}
W_tilde[k,j1,j2] = dot(WQ[k,:,j1], WK[k,:,j2]) / I^(1/2)
""",
    "different": r"""
W_tilde = torch.einsum('kia,kib->kab', WQ, WK)
W_tilde = torch.einsum('kia,kib->kab', WQ, WK) / I
W_tilde = torch.einsum('kia,kib->kba', WQ, WK) / sqrt(I)
W_tilde = torch.einsum('kia,kib->kab', WK, WQ) / sqrt(I)
W_tilde = torch.einsum('kia,kib->kab', WQ, WK) / sqrt(J)
W_tilde = torch.einsum('kia,hib->kab', WQ, WK) / sqrt(I)
W_tilde = WK.mT @ WQ / math.sqrt(I)
W_tilde = WQ.mT @ WK
W_tilde = WQ.mT @ WK * math.sqrt(I)
W_tilde[k] = WK[k].T @ WQ[k] / math.sqrt(I)
W_tilde[k,j1,j2] = (WQ[k,:,j1] * WK[k,:,j2]).mean()
W_tilde = (WQ.mT @ WK / math.sqrt(I)).transpose(1,2)
W_tilde[k,j1,j2] = WQ[k,:,j1].sum() * WK[k,:,j2].sum() / sqrt(I)
W_tilde = WQ.transpose(1, 2) @ WK / np.sqrt(WQ.shape[2])
W_tilde[k,j1,j2] = np.sum(WQ[k,:,j1] + WK[k,:,j2]) / np.sqrt(I)
W_tilde[k] = WQ[k].T @ WK[k] / 2*sqrt(I)
W_tilde = np.matmul(np.transpose(WK, (0, 2, 1)), WQ) / np.sqrt(I)
W_tilde = torch.einsum('kia,kib->kab', WQ, WQ) / I ** 0.5
W_tilde[k,j1,j2] = np.sum(WQ[k,:,j1]) * np.sum(WK[k,:,j2]) / np.sqrt(I)
\tilde{W}^Q_{k,j_1,j_2} = \frac{1}{\sqrt{I}}\sum_i W^Q_{k,i,j_2} W^K_{k,i,j_1}
""",
    "ill-typed": r"""
W_tilde = WQ.T @ WK / math.sqrt(I)
W_tilde = WQ @ WK / math.sqrt(I)
W_tilde = WQ @ WK.mT / math.sqrt(I)
W_tilde = torch.einsum('kai,kbi->kab', WQ, WK) / sqrt(I) + WQ
W_tilde = torch.einsum('kia,kjb->kabi', WQ, WK)
W_tilde = torch.einsum('ia,ib->ab', WQ, WK)
W_tilde[k,j1,j2] = WQ[k].T @ WK[k] / math.sqrt(I)
W_tilde[k] = WQ[k] @ WK[k].T / math.sqrt(I)
W_tilde[k,j1,j2] = WQ[k,:,j1] * WK[k,:,j2] / sqrt(I)
W_tilde[k,j1,j2] = WQ[k,j1,:] @ WK[k,j2,:] / sqrt(I)
W_tilde[j1,j2] = WQ[:,j1] @ WK[:,j2] / sqrt(I)
W_tilde[k,j1,j2] = <WQ[k,:,j1], WK[k,:,j2]> / sqrt(d_k)
W_tilde = (1/sqrt(I)) WQ^T WK
W_tilde = np.matmul(np.transpose(WQ, (2, 1, 0)), WK) / np.sqrt(I)
W_tilde[k] = np.outer(WQ[k], WK[k]) / np.sqrt(I)
W_tilde = np.sum(WQ * WK, axis=1) / np.sqrt(I)
W_tilde[k] = WQ^T[k] WK[k] / sqrt(n)
W_tilde[k,j1,j2] = WQ[k,:,j1] @ WK[:,j2] / sqrt(I)
""",
    "unparseable": r"""
the query matrix transposed times the key matrix
W_tilde = torch.einsum('kia,kib->kab, WQ, WK) / sqrt(I)
W_tilde = torch.einsum('kia,kib', WQ, WK, ) / sqrt(I
W_tilde = product of query and key matrices over root I
""",
}
ATTENTION = {
    "equal": r"""
alpha[k] = softmax(L W_tilde[k] L^T)
alpha[k] = softmax_{row}(L W_tilde[k] L^T)
alpha[k] = softmax(L W_tilde[k] L^T, dim=-1)
alpha[k] = softmax(L W_tilde[k] L^T, dim=1)
alpha[k] = softmax(L @ W_tilde[k] @ L.T, axis=-1)
alpha[k] = softmax(L @ W_tilde[k] @ L.T, axis=1)
alpha[k] = torch.softmax(L @ W_tilde[k] @ L.T, dim=-1)
alpha[k] = F.softmax(L @ W_tilde[k] @ L.T, -1)
alpha[k] = (L @ W_tilde[k] @ L.T).softmax(dim=-1)
alpha[k] = (L @ W_tilde[k] @ L.T).softmax(-1)
alpha[k] = RowSoftMax(L W_tilde[k] L^T)
\alpha_k = \operatorname{softmax}\left(L \tilde{W}_k L^\top\right)
\alpha_k = \operatorname{RowSoftMax}(L \tilde{W}^Q_k L^\top)
\alpha_k = \mathrm{softmax}_{\text{rows}}(L \tilde{W}^Q_k L^\top)
alpha = softmax(L @ W_tilde @ L.T, dim=-1)
alpha = torch.softmax(L @ W_tilde @ L.T, dim=2)
alpha = torch.softmax(torch.einsum('ta,kab,sb->kts', L, W_tilde, L), dim=-1)
alpha = F.softmax(torch.einsum('ia,kab,jb->kij', L, W_tilde, L), dim=2)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], dim=-1)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], dim=2)
alpha[k,t1,t2] = softmax_{t2}(L[t1] W_tilde[k] L[t2]^T)
alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = softmax_{t2}( L[t1] @ W_tilde[k] @ L[t2] )
alpha[k,t1,t2] = softmax_{t2}((L W_tilde[k] L^T)[t1,t2])
alpha[k,t1] = softmax(L[t1]^T W_tilde[k] L^T)
alpha[k,t1] = softmax(L W_tilde[k]^T L[t1])
alpha[k,t1,:] = softmax(L @ W_tilde[k].T @ L[t1])
alpha[k,t1,t2] = softmax_{t2} <L[t1], W_tilde[k] L[t2]>
\alpha[k,t_1,t_2] = \operatorname{softmax}_{t_2}\left(h_1^\top \tilde W_k h_2\right), \quad h_1 = L[t_1], \quad h_2 = L[t_2]
S[k] = L W_tilde[k] L^T // alpha[k,t1,t2] = exp(S[k,t1,t2]) / sum_{t} exp(S[k,t1,t])
\alpha_k = \operatorname{diag}(E_k \mathbf{1})^{-1} E_k, \quad E_k = \exp(L \tilde W_k L^\top)
\alpha[k] = \operatorname{softmax}_{\text{row}}\!\left(L\,\tilde{W}^Q[k]\,L^{\top}\right)
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{s} exp(L[t1]^T W_tilde[k] L[s])
alpha[k,t1] = softmax(L @ (L[t1] @ W_tilde[k]))
alpha = np.einsum('kts->kts', softmax(np.einsum('ti,kij,sj->kts', L, W_tilde, L), axis=-1))
alpha[k] = softmax(S, dim=1), where S = L @ W_tilde[k] @ L.T
alpha[k] = softmax_{axis=1}(L W_tilde[k] L^T)
alpha[k] = row-softmax(L W_tilde[k] L^T)
\alpha_{k,t_1,t_2} = \frac{\exp(L_{t_1}^\top \tilde W_k L_{t_2})}{\sum_{t'} \exp(L_{t_1}^\top \tilde W_k L_{t'})}
""",
    "different": r"""
alpha[k] = softmax_{col}(L W_tilde[k] L^T)
alpha[k] = softmax(L W_tilde[k] L^T, dim=0)
alpha[k] = softmax(L W_tilde[k] L^T, axis=0)
alpha[k] = softmax(L W_tilde[k] L^T, dim=-2)
alpha[k] = ColSoftMax(L W_tilde[k] L^T)
alpha[k] = softmax(L W_tilde[k]^T L^T)
alpha[k] = softmax(L @ W_tilde[k] @ L.T / math.sqrt(J), dim=-1)
alpha = softmax(L @ W_tilde @ L.T, dim=0)
alpha = softmax(L @ W_tilde @ L.T, dim=1)
alpha = torch.softmax(torch.einsum('sa,kab,tb->kts', L, W_tilde, L), dim=-1)
alpha = torch.einsum('ta,kab,sb->kts', L, W_tilde, L)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], dim=1)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2], dim=0)
alpha[k,t1,t2] = softmax_{t2}(L[t2] W_tilde[k] L[t1]^T)
alpha[k,t1,t2] = softmax_{t1}(L[t1] W_tilde[k] L[t2]^T)
alpha[k] = L W_tilde[k] L^T
alpha[k] = softmax(L W_tilde[k] L^T)^T
alpha[k] = softmax(L W_tilde[k] L^T / sqrt(I))
alpha[k,t1] = softmax(L W_tilde[k] L[t1])
\alpha_k = E_k \operatorname{diag}(\mathbf{1}^\top E_k)^{-1}, \quad E_k = \exp(L \tilde W_k L^\top)
alpha[k] = exp(L W_tilde[k] L^T)
alpha[k,t1,t2] = exp(L[t1]^T W_tilde[k] L[t2]) / sum_{s} exp(L[s]^T W_tilde[k] L[t2])
alpha[k,t1] = softmax(L @ (W_tilde[k] @ L[t1]))
alpha[k] = softmax_{axis=0}(L W_tilde[k] L^T)
alpha[k] = softmax(S, dim=0), where S = L @ W_tilde[k] @ L.T
alpha[k] = softmax(L @ W_tilde[k] @ L.T + 1, dim=-1) * 2
alpha[k] = column-softmax(L W_tilde[k] L^T)
""",
    "ill-typed": r"""
alpha[k] = softmax(L^T W_tilde[k] L)
alpha[k] = softmax(L W_tilde[k] L)
alpha[k] = softmax(L W_tilde[k] L^T, dim=2)
alpha[k] = softmax(L W_tilde L^T)
alpha[k,t1,t2] = softmax(L W_tilde[k] L^T)
alpha[k,t1,t2] = softmax_{t2}(L W_tilde[k] L^T)
alpha[k,t1,t2] = softmax(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2])
alpha[k,t1,t2] = softmax_{t2}( L[t1] W_tilde[k] L[t2] )
alpha = softmax(L W_tilde L^T)
alpha = softmax(L W_tilde[k] L^T)
alpha[k] = softmax(L W_tilde[k] L^T / sqrt(d_k))
alpha = torch.softmax(torch.einsum('ta,kab,sa->kts', L, W_tilde, L) + L, dim=-1)
alpha[k,t1,t2] = softmax_{s}( L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] )
alpha[k] = softmax(Q K^T)
alpha[k] = softmax(L @ L.T) @ W_tilde[k]
alpha[k] = softmax(L @ W_tilde[k] @ L, dim=-1)
alpha[k] = softmax(L @ W_tilde @ L.T, dim=-1)
alpha = softmax(L @ W_tilde[k] @ L.T, dim=-1)
alpha[k,t1] = softmax(L[t1] @ W_tilde[k] @ L)
alpha[k,t1,t2] = softmax(L[t1] @ W_tilde[k] @ L.T)
alpha[k,t1,t2] = softmax_{t2} Q[k,t1] · K[k,t2]
""",
    "unparseable": r"""
alpha[k] = softmax(L W_tilde[k] L^T
softmax of the scores of t1 with every t2
alpha = the softmax over the keys of the merged scores
alpha = torch.softmax(torch.einsum('ta,kab,sb->kts', L, W_tilde, L), dim=)
""",
}
FINAL = {
    "equal": r"""
Y_T = sigmoid(1000 (sum_{i=1}^{T÷2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = \sigma\left(10^3 \left(H_0 + \sum_{i=1}^{T/2} \left(X_{2i} - X_{2i-1}\right)\right)\right)
Y_T = torch.sigmoid(1000 * (H_0 + sum_{t=1}^{T} (-1)**t * X[t]))
Y_T = sigmoid(1e3 * (H_0 - X_1 + X_2 - X_3 + ... + X_T))
Y_T = \frac{1}{1 + e^{-1000 (H_0 + \sum_{t=1}^{T} (-1)^t X_t)}}
Y_T = sigmoid(1000 S), where S = H_0 + sum_{t=1}^T (-1)^t X_t
Y_T = sigmoid(1000 (E - O + H_0)), E = sum_{t even} X_t, O = sum_{t odd} X_t
Y_T = \sigma(1000(\sum_{k=1}^{\nicefrac{T}{2}} (X_{2k} - X_{2k-1}) + H_0)) since T is even
Y_T = \operatorname{sigmoid}\bigl(1000\,(H_0+\sum_{j=0}^{T/2-1}(X_{2j+2}-X_{2j+1}))\bigr)
f(z) = 1/(1+exp(-1000 z)) // Y_T = f(H_0 + sum_{t=1}^T (-1)^t X_t)
Y_T = sigmoid(1000 * (H_0 + sum_{i=1}^{T/2} (X[2i] - X[2i-1])))
Y_T = σ(1000·(Σ_{t=1}^{T} (−1)^t X_t + H_0))
\begin{align} Y_T &= \sigma\Big(1000 \Big( H_0 + \sum_{i=1}^{T/2} X_{2i} - \sum_{i=1}^{T/2} X_{2i-1} \Big)\Big) \end{align}
Y_T = sigmoid(1000(H_0 + (X_2 - X_1) + (X_4 - X_3) + ... + (X_T - X_{T-1})))
Y_T = sigmoid(1000 (sum_{t=1}^T (-1)^t X_t + H_0)).
""",
    "different": r"""
Y_T = torch.sigmoid(1000 * (H_0 + sum_{t=1}^{T} (-1)**(t+1) * X[t]))
Y_T = sigmoid(1e2 * (H_0 - X_1 + X_2 - X_3 + ... + X_T))
Y_T = \frac{1}{1 + e^{1000 (H_0 + \sum_{t=1}^{T} (-1)^t X_t)}}
Y_T = sigmoid(1000 S), where S = sum_{t=1}^T (-1)^t X_t
Y_T = sigmoid(1000 (O - E + H_0)), E = sum_{t even} X_t, O = sum_{t odd} X_t
Y_T = sigmoid(1000 (H_0 + sum_{t=1}^{T} (-1)^t X_t)) / 2
Y_T = f(H_0 + sum_{t=1}^T (-1)^t X_t) // f(z) = 1/(1+exp(-z))
Y_T = σ(1000·Σ_{t=1}^{T} (−1)^t X_t + H_0)
Y_T = sigmoid(1000(H_0 + (X_1 - X_2) + (X_3 - X_4) + ... + (X_{T-1} - X_T)))
""",
    "ill-typed": r"""
Y_T = sigmoid(1000 (H_0 + X))
Y_T = X
Y_T = sigmoid(1000 (H_0 + sum_{t=1}^{T} (-1)^t x_t))
Y_T = sigmoid(1000 H_{T})
Y_T = sigmoid(1000 (S + H_0))
Y_T = sigmoid(1000 * (H_0 + sum_{i=1}^{T/2} (X[2i] - X[2i+1])))
Y_T = sigmoid(1000 (H_0 + sum_t (-1)^t X))
""",
    "unparseable": r"""
one if the even positions have the larger sum
Y_T = sigmoid(1000 (sum of even inputs minus sum of odd inputs))
Y_T = sigmoid(1000 (H_0 + ))
""",
}
LINEAR = {
    "equal": r"""
y_i = \frac{\sum_{j} \mathrm{sim}(q_i, k_j) v_j}{\sum_{j} \mathrm{sim}(q_i, k_j)}, \quad \mathrm{sim}(q,k) = q^\top k
y_i = sum_j s(q_i,k_j) v_j / sum_j s(q_i,k_j) where s(a,b) = <a,b>
y_i = sum_j A_{ij} v_j with A_{ij} = <q_i,k_j> / sum_l <q_i,k_l>
y[i] = sum_j (q[i] @ k[j]) * v[j] / sum_j (q[i] @ k[j])
y = (q @ k.T) @ v / (q @ k.T).sum(dim=-1, keepdim=True)
y = (q @ k.T @ v) / (q @ k.T).sum(1, keepdim=True)
y = q @ (k.T @ v) / (q @ k.sum(0))[:, None]
y = q @ (k.T @ v) / (q @ k.sum(dim=0)).unsqueeze(1)
y[i] = q[i] @ (k.T @ v) / (q[i] @ k.sum(axis=0))
y = np.einsum('ta,sa,sb->tb', q, k, v) / np.einsum('ta,sa->t', q, k)[:, None]
y = torch.einsum('id,jd,jv->iv', q, k, v) / torch.einsum('id,jd->i', q, k).unsqueeze(-1)
y_i = \frac{q_i^\top \left(\sum_j k_j v_j^\top\right)}{q_i^\top \sum_j k_j}
y_i = sum_j q_i k_j^T v_j / sum_j q_i k_j^T
y_i = q_i (sum_j k_j^T v_j) / (q_i sum_j k_j^T)
y_i = \frac{\sum_j (q_i\cdot k_j)\,v_j}{\sum_{j'} (q_i\cdot k_{j'})}
y = diag(q k^T 1)^{-1} q k^T v
Y = D^{-1} Q (K^\top V), \quad D = \operatorname{diag}(Q (K^\top \mathbf{1}))
y = D^{-1} (q k^T) v, where D = diag((q k^T) \mathbf{1}_T)
y_i = \frac{1}{Z_i}\sum_{j=1}^T \langle q_i,k_j\rangle v_j, \qquad Z_i = \sum_{j=1}^T \langle q_i,k_j\rangle
y_i^\top = \frac{q_i^\top S}{q_i^\top z}, S = \sum_j k_j v_j^\top, z = \sum_j k_j
y_i = sum_j a_j v_j, where a_j = <q_i,k_j> / sum_l <q_i,k_l>
Linear attention: y_i = sum_j <q_i,k_j> v_j / sum_j <q_i,k_j>
y_i = sum_j <q_i,k_j> v_j / sum_j <q_i,k_j> (no exponential)
y[i,c] = sum_j sum_a q[i,a] k[j,a] v[j,c] / sum_j sum_a q[i,a] k[j,a]
y[i,:] = sum_j (q[i,:] @ k[j,:]) * v[j,:] / sum_j (q[i,:] @ k[j,:])
y_i = \frac{\phi(q_i)^\top \sum_j \phi(k_j) v_j^\top}{\phi(q_i)^\top \sum_j \phi(k_j)}, \quad \phi(x) = x
y = (q @ k.T / (q @ k.T).sum(-1, keepdims=True)) @ v
y = np.matmul(q @ k.T, v) / np.sum(q @ k.T, axis=1, keepdims=True)
y[i] = sum_j w[i,j] * v[j], w[i,j] = (q[i] @ k[j]) / sum_l (q[i] @ k[l])
Y = \operatorname{diag}(QK^\top \mathbf{1})^{-1} Q K^\top V
y_i = A_i v / (A_i 1), A_i = q_i^T k^T
y_i = N_i / Z_i where N_i = sum_j <q_i,k_j> v_j and Z_i = sum_j <q_i,k_j>
y_i = \Big(\sum_{j=1}^T (k_j^\top q_i)\, v_j\Big) \Big/ \Big(\sum_{j=1}^T k_j^\top q_i\Big)
y_i = \sum_{j} \alpha_{ij} v_j, \qquad \alpha_{ij} = \frac{q_i^\top k_j}{\sum_{j'} q_i^\top k_{j'}}
y[i, :] = (q[i] @ k.T @ v) / (q[i] @ k.T).sum()
y = (q @ k.T @ v) / (q @ k.T @ ones(T))[:, None]
""",
    "different": r"""
y_i = \sum_{j} \mathrm{sim}(q_i, k_j) v_j, \quad \mathrm{sim}(q,k) = q^\top k
y_i = \frac{\sum_{j} \mathrm{sim}(q_i, k_j) v_j}{\sum_{j} \mathrm{sim}(q_i, k_j)}, \quad \mathrm{sim}(q,k) = \exp(q^\top k)
y_i = sum_j s(k_i,q_j) v_j / sum_j s(q_i,k_j) where s(a,b) = <a,b>
y = (q @ k.T) @ v
y = softmax(q @ k.T, dim=-1) @ v
y = torch.softmax(q k^T, dim=1) v
y = (q @ k.T) @ v / (q @ k.T).sum()
y = (k @ q.T) @ v / (k @ q.T).sum(dim=-1, keepdim=True)
y[i] = q[i] @ (k.T @ v) / (k[i] @ q.sum(axis=0))
y = (q @ k.T) @ v / (q @ k.T).mean(dim=-1, keepdim=True)
y_i = sum_j A_{ij} v_j with A_{ij} = <q_i,k_j> / sum_l <q_l,k_j>
y_i = \frac{1}{\sqrt d}\frac{\sum_j \langle q_i,k_j\rangle v_j}{\sum_j \langle q_i,k_j\rangle}
y = q k^T diag(q k^T 1)^{-1} v
y_i = sum_j a_j v_j, where a_j = <q_i,k_j>
y_i = \frac{\phi(q_i)^\top \sum_j \phi(k_j) v_j^\top}{\phi(q_i)^\top \sum_j \phi(k_j)}, \quad \phi(x) = \exp(x)
y = (q @ k.T / (q @ k.T).sum(0, keepdims=True)) @ v
y = np.matmul(q @ k.T, v) / np.sum(q @ k.T)
y_i = N_i / Z_i where N_i = sum_j <q_i,k_j> v_j and Z_i = sum_j <q_j,k_i>
y[i] = sum_j w[i,j] * v[j], w[i,j] = (q[i] @ k[j]) / sum_l (q[l] @ k[j])
Y = Q K^\top \operatorname{diag}(QK^\top \mathbf{1})^{-1} V
y_i = sum_j relu(<q_i,k_j>) v_j / T
""",
    "ill-typed": r"""
y[i,c] = sum_j <q_i,k_j> v_j / sum_j <q_i,k_j>
y_i = sum_j <q_i,k_j> / sum_l <q_i,k_l>
y = (q @ k.T) @ v / (q @ k.T).sum(dim=-1)
y = (q @ k) @ v
y = q @ k.T @ v / (q @ k.T).sum(dim=2)
y_i = sum_j q_i k_j v_j / sum_j q_i k_j
y = (q @ k.T) @ v / (q @ k.T).sum(dim=0, keepdim=True)
y_i = sum_j sim(q_i,k_j) v_j / sum_j sim(q_i,k_j)
y = softmax(Q K^T / sqrt(d_k)) V W
y_i = sum_j f(q_i) v_j, where f(a,b) = <a,b>
y_i = \frac{\sum_{j} \mathrm{sim}(q_i) v_j}{\sum_{j} \mathrm{sim}(q_i)}, \quad \mathrm{sim}(q,k) = q^\top k
y = v^T k q
y_i = \frac{q_i^\top \sum_j v_j k_j^\top}{q_i^\top \sum_j k_j}
y = q @ k @ v
y_i = sum_j (q_i @ k_j) @ v_j / sum_j (q_i @ k_j)
y = (q @ k.T @ v) / (q @ k.T @ ones(T))
y = q * k * v
y_i = \frac{\sum_j \mathrm{sim}(q_i,k_j) v_j}{\sum_j \mathrm{sim}(q_i,k_j)}
""",
    "unparseable": r"""
the average of the values with the scores as weights
y = (q @ k.T @ v / (q @ k.T).sum(dim=-1, keepdim=True)
y_i = weighted average of the values
y = np.einsum('ta,sa,sb->tb', q, k) / 2 +
""",
}
HEAD = {
    "equal": r"""
H_{l,h} = V @ H @ softmax((K @ H).T @ (Q @ H), dim=0)
H_{l,h} = V @ H @ torch.softmax((K @ H).T @ Q @ H, dim=0)
H_{l,h} = V @ H @ torch.softmax(H.T @ K.T @ Q @ H, dim=-2)
H_{l,h} = V H softmax((K H)^T Q H, axis=0)
H_{l,h} = V @ H @ scipy.special.softmax(H.T @ K.T @ Q @ H, axis=0)
H_{l,h} = V H ColSoftMax((K H)^T Q H)
H_{l,h} = V H \operatorname{softmax}_{\text{col}}(H^\top K^\top Q H)
H_{l,h} = V H RowSoftMax((Q H)^T K H)^T
H_{l,h} = V H softmax((Q H)^T K H, dim=1)^T
H_{l,h} = V H softmax((Q H)^T (K H), dim=-1).T
H_{l,h} = V H E diag(1^T E)^{-1}, where E = exp((K H)^T Q H)
H_{l,h} = V H A, A = softmax(k^T q), k = K H, q = Q H
\mathbf{H}_{\ell,h} = \mathbf{V}\mathbf{H}\,\exp(\mathbf S)\,\operatorname{diag}(\mathbf 1^\top \exp(\mathbf S))^{-1}, \quad \mathbf S = (\mathbf K \mathbf H)^\top \mathbf Q \mathbf H
H_{l,h} = (V H) SoftMax(S) where S = (K H)^T (Q H)
H_{l,h} = torch.einsum('dn,nm->dm', V @ H, softmax((K @ H).T @ (Q @ H), dim=0))
H_{l,h}^T = RowSoftMax((Q H)^T K H) (V H)^T
(H_{l,h})^T = softmax((Q H)^T (K H), dim=-1) (V H)^T
H_{l,h} = V @ H @ softmax((K @ H).T @ (Q @ H))
H_{l,h} = V_{l,h} H_{l-1} \operatorname{softmax}_{\text{columns}}\left(H_{l-1}^\top K_{l,h}^\top Q_{l,h} H_{l-1}\right)
q = Q H, k = K H, v = V H, H_{l,h} = v softmax(k^T q)
H_{l,h} = V H (exp(S) / (1 1^T exp(S))), S = (K H)^T Q H
H_{l,h} = V H (exp(S) / exp(S).sum(dim=0, keepdim=True)), S = (K H)^T (Q H)
H_{l,h} = (softmax((Q H)^T (K H), dim=1) (V H)^T)^T
""",
    "different": r"""
H_{l,h} = V @ H @ softmax((K @ H).T @ (Q @ H), dim=1)
H_{l,h} = V @ H @ torch.softmax(H.T @ K.T @ Q @ H, dim=-1)
H_{l,h} = V H RowSoftMax((K H)^T Q H)
H_{l,h} = V H softmax_{row}((K H)^T Q H)
H_{l,h} = V H softmax((Q H)^T K H, dim=0)
H_{l,h} = V H softmax((Q H)^T K H, dim=1)
H_{l,h} = V H softmax((K H)^T Q H / sqrt(D), axis=0)
H_{l,h} = V H E diag(E 1)^{-1}, where E = exp((K H)^T Q H)
H_{l,h} = V H A, A = softmax(q^T k), k = K H, q = Q H
H_{l,h} = V H softmax((K H)^T Q H, dim=0)^T
H_{l,h} = V H diag((K H)^T Q H 1)
H_{l,h} = V H diag(1^T E)^{-1} E, where E = exp((K H)^T Q H)
H_{l,h} = V @ H @ softmax((Q @ H).T @ (K @ H))
H_{l,h} = V H (exp(S) / exp(S).sum(dim=1, keepdim=True)), S = (K H)^T (Q H)
q = Q H, k = K H, v = V H, H_{l,h} = v softmax(q^T k)
q = Q H, k = K H, v = V H, H_{l,h} = v softmax(k^T q / sqrt(D))
H_{l,h} = (softmax((Q H)^T (K H), dim=0) (V H)^T)^T
""",
    "ill-typed": r"""
H_{l,h} = softmax(Q K^T / sqrt(d_k)) V
H_{l,h} = softmax(H Q K^T H^T) H V
H_{l,h} = softmax((K @ H).T @ (Q @ H), dim=0) @ V @ H
H_{l,h} = V @ H @ softmax(K @ H @ Q @ H, dim=0)
H_{l,h} = V H softmax((K H)^T Q H / sqrt(d_k))
H_{l,h} = V H softmax((K H)^T Q H, dim=2)
H_{l,h} = V H softmax_t((K H)^T Q H)
H_{l,h} = softmax(Q K^T) V
q = H Q, k = H K, v = H V, H_{l,h} = softmax(q k^T) v
H_{l,h} = softmax((Q H)^T (K H), dim=1) (V H)^T
""",
    "unparseable": r"""
values times the softmax of keys and queries
H_{l,h} = V H softmax((K H)^T Q H, dim=0
H_{l,h} = attention of the queries to the keys
""",
}
STACKED = {
    "equal": r"""
H_l = FF(torch.cat([H_{l,1}, ..., H_{l,n}], dim=0))
H_l = FF(np.concatenate([H_{l,1}, ..., H_{l,n}], axis=0))
H_l = FF(torch.cat((H_{l,1}, H_{l,2}, ..., H_{l,n})))
H_l = FF(vstack([H_{l,1}, ..., H_{l,n}]))
H_l = torch.sigmoid(W_ff @ torch.cat([H_{l,1}, ..., H_{l,n}]) + b_ff[:, None])
H_l = sigmoid(W_ff C + b_ff \mathbf{1}^\top), where C = [H_{l,1}; ...; H_{l,n}]
H_l = FF(C), \quad C = \sum_h \delta_h \otimes H_{l,h}
H_l = FF(torch.kron(delta_1, H_{l,1}) + ... + torch.kron(delta_n, H_{l,n}))
H_l = FF([H_{l,h}]_{h=1}^{n})
H_l = 1 / (1 + exp(-(W_ff C + b_ff))) where C = concat_h H_{l,h}
H_l = FF(torch.vstack([H_{l,1}, ..., H_{l,n}]))
H_l = sigmoid(W_ff @ C + b_ff[:, None]), C = torch.cat([H_{l,1}, ..., H_{l,n}], dim=0)
\mathbf H_\ell = \mathrm{FF}\big(\mathrm{Concat}(\mathbf H_{\ell,1},\dots,\mathbf H_{\ell,n})\big)
H_l = FF(H_{l,1} ⊕ H_{l,2} ⊕ ... ⊕ H_{l,n})
""",
    "different": r"""
H_l = FF(torch.cat([H_{l,n}, ..., H_{l,1}], dim=0))
H_l = torch.sigmoid(W_ff @ torch.cat([H_{l,1}, ..., H_{l,n}]))
H_l = torch.relu(W_ff @ torch.cat([H_{l,1}, ..., H_{l,n}]) + b_ff[:, None])
H_l = FF(C), C = \sum_h H_{l,h} \otimes \delta_h
H_l = sigmoid(W_ff C - b_ff) where C = concat_h H_{l,h}
H_l = sigmoid(W_ff @ C), C = torch.cat([H_{l,1}, ..., H_{l,n}], dim=0)
H_l = FF(torch.vstack([H_{l,2}, ..., H_{l,n}, H_{l,1}]))
""",
    "ill-typed": r"""
H_l = FF(torch.cat([H_{l,1}, ..., H_{l,n}], dim=1))
H_l = FF(hstack([H_{l,1}, ..., H_{l,n}]))
H_l = FF(mean_h H_{l,h})
H_l = FF(C), C = \sum_h H_{l,h}
H_l = torch.sigmoid(torch.cat([H_{l,1}, ..., H_{l,n}]) @ W_ff + b_ff[:, None])
H_l = FF(delta_h)
H_l = FF(torch.cat([H_{l,1}, ..., H_{l,n}], dim=-1))
H_l = sigmoid(C @ W_ff + b_ff), C = torch.cat([H_{l,1}, ..., H_{l,n}], dim=0)
H_l = FF(H_{l,1}, ..., H_{l,n})
""",
    "unparseable": r"""
the heads are stacked and go through the feed-forward net
H_l = FF(torch.cat([H_{l,1}, ..., H_{l,n}], dim=0)
H_l = FF of the stacked heads
""",
}
STYLED = {
    "spatial_equations": SPATIAL,
    "blank_lm_equation": BLANK,
    "caption_equations": CAPTION,
    "embedding_equation": EMBEDDING,
    "layer_equation": LAYER,
    "merged_equation": MERGED,
    "attention_equation": ATTENTION,
    "final_output": FINAL,
    "linear_equation": LINEAR,
    "head_equation": HEAD,
    "stacked_layer_equation": STACKED,
}
