"""Answers to every equation part with the verdict each must get: one a line, grouped by part and verdict.

These hold the engine to what it does: many rows were kept because it agreed with them, and a few that it did
not were dropped as debatable. That all of them pass says nothing about answers nobody has written down yet.
"""

from __future__ import annotations

from tests.text.equation.said import SAID
from tests.text.equation.styles import STYLED

# Part name -> verdict -> answers. Several equations of one answer are joined by " // ".
SPATIAL = {
    "equal": r"""
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = h_in[x,y,J] WQ[k,U,J]
Query[k,x,y,u] = sum_j WQ[k,u,j] h_in[x,y,j]
Query[k,x,y,u] = WQ[k,u,J] h_in[x,y,J]
Query[k,x,y,U] = sum_J WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = sum_{j=1}^{J} WQ[k,U,j] h_in[x,y,j]
Query[k,x,y,U] = sum_{j=0}^{J-1} WQ[k,U,j] h_in[x,y,j]
Query[k,x,y,U] = \sum_{j} W^Q[k,U,j]\, h_{\text{in}}[x,y,j]
Query[k, x, y, U] = W^{Q}[k, U, J] \cdot h_{in}[x, y, J]
Query[k,x,y,U] = W_Q[k,U,J] * h_in[x,y,J]
Query[h,a,b,U] = WQ[h,U,J] h_in[a,b,J]
query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
$$\text{Query}[k, x, y, U] = W^Q[k, U, J]h_{\text{in}}[x, y, J]$$
\text{Query}[k,x,y,U] = \sum_{j=1}^J W^Q[k,U,j] h_{\mathrm{in}}[x,y,j].
\mathrm{Query}[k,x,y,U] = W^Q[k,U,J'] h_{\text{in}}[x,y,J']
Query_{k,x,y,U} = W^Q_{k,U,J} h^{in}_{x,y,J}
Query(k,x,y,U) = WQ(k,U,J) h_in(x,y,J)
Q[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Key[k,x,y,U] = W^K[k,U,J] h_in[x,y,J]
Key[k,x,y,u] = Σ_j W^K[k,u,j] h_in[x,y,j]
Key[k,x,y,u] = ∑_{j} W^K[k,u,j] · h_in[x,y,j]
\text{Key}[k, x, y, U] = W^K[k, U, J] h_{\text{in}}[x, y, J]
Key[k,x,y,U] = \left( W^K[k,U,J] \; h_{\text{in}}[x,y,J] \right)
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} [ Query[k,x1,y1,U] Key[k,x2,y2,U] ]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2}(Query[k,x1,y1,U] Key[k,x2,y2,U])
alpha[k,x1,y1,x2,y2] = softmax_{y2,x2} Key[k,x2,y2,U] Query[k,x1,y1,U]
alpha[k,x,y,x',y'] = softmax_{x',y'} Query[k,x,y,U] Key[k,x',y',U]
alpha[k,x,y,x′,y′] = softmax_{x′,y′} Query[k,x,y,U] Key[k,x′,y′,U]
alpha[k,x,y,p,q] = softmax_{p,q} sum_u Query[k,x,y,u] Key[k,p,q,u]
α[k,x₁,y₁,x₂,y₂] = softmax_{x₂,y₂} Query[k,x₁,y₁,U] Key[k,x₂,y₂,U]
\alpha[k, x_1, y_1, x_2, y_2] = \underset{x_2, y_2}{\text{softmax}} \text{Query}[k, x_1, y_1, U]\text{Key}[k, x_2, y_2, U]
\alpha[k, x_1, y_1, x_2, y_2] = \underset{x_2, y_2}{\operatorname{softmax}}\; \text{Query}[k, x_1, y_1, U]\,\text{Key}[k, x_2, y_2, U]
\alpha[k,x_1,y_1,x_2,y_2] = \text{softmax}_{x_2,y_2}\left[\sum_{u}\text{Query}[k,x_1,y_1,u]\,\text{Key}[k,x_2,y_2,u]\right]
\alpha[k,x_1,y_1,x_2,y_2] = \operatorname*{softmax}_{x_2,y_2} \text{Query}[k,x_1,y_1,U] \cdot \text{Key}[k,x_2,y_2,U]
\alpha[k,x_{1},y_{1},x_{2},y_{2}] = \mathrm{softmax}_{(x_{2},y_{2})} \left( \text{Query}[k,x_{1},y_{1},U] \text{Key}[k,x_{2},y_{2},U] \right)
alpha[k,x1,y1,x2,y2] = exp(Query[k,x1,y1,U] Key[k,x2,y2,U]) / sum_{x3,y3} exp(Query[k,x1,y1,U] Key[k,x3,y3,U])
alpha[k,x1,y1,x2,y2] = exp(Query[k,x1,y1,U] Key[k,x2,y2,U]) / (sum_{x',y'} exp(Query[k,x1,y1,U] Key[k,x',y',U]))
\alpha[k,x_1,y_1,x_2,y_2] = \frac{\exp(\text{Query}[k,x_1,y_1,U]\text{Key}[k,x_2,y_2,U])}{\sum_{x,y}\exp(\text{Query}[k,x_1,y_1,U]\text{Key}[k,x,y,U])}
\alpha[k,x_1,y_1,x_2,y_2] = \frac{e^{\text{Query}[k,x_1,y_1,U]\text{Key}[k,x_2,y_2,U]}}{\sum_{x}\sum_{y}e^{\text{Query}[k,x_1,y_1,U]\text{Key}[k,x,y,U]}}
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} WQ[k,U,J1] h_in[x1,y1,J1] WK[k,U,J2] h_in[x2,y2,J2]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} (Query[k,x1,y1,U] Key[k,x2,y2,U] + Query[k,x1,y1,U] Query[k,x1,y1,U])
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U] + 7
Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J]
Value[k,x,y,i] = sum_{j} h_in[x,y,j] WV[k,i,j]
\text{Value}[k, x, y, I] = W^V[k, I, J]h_{\text{in}}[x, y, J]
V[k,x,y,I] = W^V[k,I,J] h_in[x,y,J]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x'} sum_{y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x'=1}^{X} sum_{y'=1}^{Y} alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x1,y1,i] = sum_{x2,y2} Value[k,x2,y2,i] alpha[k,x1,y1,x2,y2]
Out[k,x,y,I] = alpha[k,x,y,X',Y'] Value[k,X',Y',I]
Out[k,x,y,I] = sum_x',y' alpha[k,x,y,x',y'] Value[k,x',y',I]
\text{Out}[k, x, y, I] = \sum_{x', y'} \alpha[k, x, y, x', y'] \text{Value}[k, x', y', I]
\text{Out}[k,x,y,I] = \sum_{x'}\sum_{y'}\alpha[k,x,y,x',y']\,\text{Value}[k,x',y',I]
\text{Out}[k, x, y, I] = \sum\limits_{x^{\prime}, y^{\prime}} \alpha[k, x, y, x^{\prime}, y^{\prime}] \text{Value}[k, x^{\prime}, y^{\prime}, I]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] WV[k,I,J] h_in[x',y',J]
h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
h_out[x,y,J] = Out[1,x,y,I]; Out[2,x,y,I]; ...; Out[K,x,y,I]
h_out[x,y,J] = [Out[1,x,y,I]; ... ; Out[K,x,y,I]]
h_out[x,y,J] = [Out[1,x,y,I]; …; Out[K,x,y,I]]
h_out[x,y,J] = concat(Out[1,x,y,I], ..., Out[K,x,y,I])
h_out[x,y,J] = concat_k Out[k,x,y,I]
h_out[x,y,J] = concat_{k=1}^{K} Out[k,x,y,I]
h_out[x,y,J] = concat_k(Out[k,x,y,I])
h_out[x,y,J] = Out[0,x,y,I]; ...; Out[K-1,x,y,I]
h_out[a,b,J] = Out[1,a,b,I]; ...; Out[K,a,b,I]
h_{\text{out}}[x, y, J] = \text{Out}[1, x, y, I]; \dots; \text{Out}[K, x, y, I]
h_{\text{out}}[x, y, J] = \text{Out}[1, x, y, I] ; \ldots ; \text{Out}[K, x, y, I]
h_{\text{out}}[x,y,J] = \operatorname{concat}_{k}\text{Out}[k,x,y,I]
h_{\mathrm{out}}[x,y,J] = \left[\text{Out}[1,x,y,I];\cdots;\text{Out}[K,x,y,I]\right]
h_out[x,y,J] = Out[1,x,y,I] || ... || Out[K,x,y,I]
h_out[x,y,k*I+i] = Out[k,x,y,i]
h_out[x,y,(k-1)*I+i] = Out[k,x,y,i]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
s[k,x,y,a,b] = Query[k,x,y,U] Key[k,a,b,U] // alpha[k,x,y,a,b] = softmax_{a,b} s[k,x,y,a,b]
alpha[k,x,y,a,b] = softmax_{a,b} score[k,x,y,a,b] // score[k,x,y,a,b] = Query[k,x,y,U] Key[k,a,b,U]
Query[k,x,y,U] = \sum_{j=1}^{J} W^{Q}_{k,U,j}\, h_{\text{in}}[x,y,j]
\operatorname{Query}[k,x,y,U] = \sum_J W^Q[k,U,J]\,h_{\rm in}[x,y,J]
Query[K,X,Y,U] = WQ[K,U,J] h_in[X,Y,J]
Query[k, x, y, u] = \sum_{j} W^Q[k, u, j] \times h_{in}[x, y, j]
Query[k,x,y,U] = W^{(Q)}[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = Σ_J W^Q[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = sum_{j=1..J} WQ[k,U,j] h_in[x,y,j]
Query[k,x,y,U] = sum_{j in J} WQ[k,U,j] h_in[x,y,j]
alpha[k,x1,y1,x2,y2] = softmax_{(x2,y2)} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2 y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_x2,y2 Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k, x_1, y_1, x_2, y_2] = softmax_{x_2, y_2}( sum_U Query[k, x_1, y_1, U] Key[k, x_2, y_2, U] )
\alpha[k,x_1,y_1,x_2,y_2] = \text{softmax}_{x_2,y_2}\bigl(\text{Query}[k,x_1,y_1,U]\,\text{Key}[k,x_2,y_2,U]\bigr)
\alpha[k,x,y,x',y'] = \mathop{\mathrm{softmax}}_{x',y'} \mathrm{Query}[k,x,y,U]\,\mathrm{Key}[k,x',y',U]
\alpha[k,x,y,\tilde x,\tilde y] = \text{softmax}_{\tilde x,\tilde y} \text{Query}[k,x,y,U]\text{Key}[k,\tilde x,\tilde y,U]
\alpha_{k,x_1,y_1,x_2,y_2} = \text{softmax}_{x_2,y_2} \text{Query}_{k,x_1,y_1,U}\text{Key}_{k,x_2,y_2,U}
\alpha[k,x_1,y_1,x_2,y_2] = \frac{\exp\left(\sum_u \text{Query}[k,x_1,y_1,u]\text{Key}[k,x_2,y_2,u]\right)}{\sum_{x_2',y_2'} \exp\left(\sum_u \text{Query}[k,x_1,y_1,u]\text{Key}[k,x_2',y_2',u]\right)}
\text{Out}[k,x,y,I] = \sum_{x'=1}^{X}\sum_{y'=1}^{Y} \alpha[k,x,y,x',y'] \text{Value}[k,x',y',I]
\text{Out}[k,x,y,I] = \sum_{(x',y')} \alpha[k,x,y,x',y'] \text{Value}[k,x',y',I]
\text{Out}[k,x,y,I]=\sum_{x',\,y'}\alpha[k,x,y,x',y']\cdot\text{Value}[k,x',y',I]
Out[k,x,y,I] = sum_{x2} sum_{y2} alpha[k,x,y,x2,y2] * Value[k,x2,y2,I]
h_out[x,y,J] = [Out[1,x,y,I], ..., Out[K,x,y,I]]
h_out[x,y,J] = concat(Out[1,x,y,I]; ...; Out[K,x,y,I])
h_out[x,y,J] = [Out[k,x,y,I]]_{k=1}^{K}
h_{\text{out}}[x,y,J] = \text{concat}_{k=1}^{K} \text{Out}[k,x,y,I]
h_{\text{out}}[x,y,J] = \text{Concat}(\text{Out}[1,x,y,I],\ldots,\text{Out}[K,x,y,I])
h_{\text{out}}[x,y,J] = \text{Out}[1,x,y,I];\ \text{Out}[2,x,y,I];\ \dots;\ \text{Out}[K,x,y,I]
h_{\text{out}}[x,y,J] = \big\|_{k=1}^{K} \text{Out}[k,x,y,I]
h_{\text{out}}[x,y,J] = \bigoplus_{k=1}^{K} \text{Out}[k,x,y,I]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] // alpha[k,x,y,x',y'] = softmax_{x',y'} Query[k,x,y,U] Key[k,x',y',U] // Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J] // Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] // h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
\begin{align*} \text{Query}[k,x,y,U] &= W^Q[k,U,J]h_{\text{in}}[x,y,J] \\ \text{Key}[k,x,y,U] &= W^K[k,U,J]h_{\text{in}}[x,y,J] \end{align*}
\[ \text{Query}[k, x, y, U] = W^Q[k, U, J]h_{\text{in}}[x, y, J] \]
1. Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
(1) Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J]h_in[x,y,J]
Query[k,x,y,U]=WQ[k,U,J]*h_in[x,y,J]
Query[k,x,y,U] = sum_{J} h_in[x,y,J]*WQ[k,U,J]
Query[k, x, y, U] = \mathbf{W}^Q[k, U, J]\, \mathbf{h}_{\text{in}}[x, y, J]
Query[k][x][y][U] = WQ[k][U][J] h_in[x][y][J]
Query[k,(x,y),U] = WQ[k,U,J] h_in[(x,y),J]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] / sum_{x',y'} alpha[k,x,y,x',y']
Out[k,x,y,I] = sum_{ab} alpha[k,x,y,a,b] Value[k,a,b,I]
""",
    "different": r"""
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} (WQ[k,U,J] h_in[x1,y1,J]) (WK[k,U,J] h_in[x2,y2,J])
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2}(Query[k,x1,y1,U]) (Key[k,x2,y2,U])
Query[k,x,y,U] = WK[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = 2 WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = -WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = (1/sqrt(U)) WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = Key[k,x,y,U]
Query[k,x,y,U] = tanh(WQ[k,U,J] h_in[x,y,J])
Query[k,x,y,U] = sum_{k'} WQ[k',U,J] h_in[x,y,J] + 0 WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = sum_{x'} WQ[k,U,J] h_in[x',y,J] + 0 h_in[x,y,J] WQ[k,U,J]
Key[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] + WQ[k,U,J] h_in[x,y,J]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J] / sqrt(U)
alpha[k,x1,y1,x2,y2] = softmax_{y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x1,y1} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x1,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_k Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x1,y1,x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{k,x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x2,y2,U] Key[k,x1,y1,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x1,y1,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Query[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Key[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} [Query[k,x1,y1,U] Key[k,x2,y2,U] / sqrt(U)]
\alpha[k,x_1,y_1,x_2,y_2] = \text{softmax}_{x_2,y_2} \frac{1}{\sqrt{U}} \text{Query}[k,x_1,y_1,U]\text{Key}[k,x_2,y_2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} (1/sqrt(U)) Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2} softmax_{y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = (softmax_{x2} Query[k,x1,y1,U] Key[k,x2,y2,U]) (softmax_{y2} Query[k,x1,y1,U] Key[k,x2,y2,U])
alpha[k,x1,y1,x2,y2] = exp(Query[k,x1,y1,U] Key[k,x2,y2,U])
alpha[k,x1,y1,x2,y2] = exp(Query[k,x1,y1,U] Key[k,x2,y2,U]) / sum_{x2} exp(Query[k,x1,y1,U] Key[k,x2,y2,U])
alpha[k,x1,y1,x2,y2] = sigmoid(Query[k,x1,y1,U] Key[k,x2,y2,U])
alpha[k,x1,y1,x2,y2] = 1/(XY)
alpha[k,x1,y1,x2,y2] = 1/(X Y)
alpha[k,x1,y2,x2,y1] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
Value[k,x,y,I] = 2 WV[k,I,J] h_in[x,y,J]
Value[k,x,y,I] = exp(WV[k,I,J] h_in[x,y,J])
Out[k,x,y,I] = Value[k,x,y,I]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x',y',x,y] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x,y,I]
Out[k,x,y,I] = sum_{x'} alpha[k,x,y,x',y] Value[k,x',y,I]
Out[k,x,y,I] = sum_{y'} alpha[k,x,y,x,y'] Value[k,x,y',I]
Out[k,x,y,I] = (1/(X Y)) sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] + Value[k,x,y,I]
Out[k,x,y,I] = alpha[k,x,y,x,y] Value[k,x,y,I]
h_out[x,y,J] = Out[K,x,y,I]; ...; Out[1,x,y,I]
h_out[x,y,J] = h_in[x,y,J]
h_out[x,y,J] = 2 (Out[1,x,y,I]; ...; Out[K,x,y,I])
h_out[x,y,i*K+k] = Out[k,x,y,i]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
h_out[x,y,J] = Out[2,x,y,I]; ...; Out[K,x,y,I]; Out[1,x,y,I]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] + 1
Out[k,x,y,I] = max_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} (sum_U Query[k,x1,y1,U] + sum_U Key[k,x2,y2,U])
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y2,U] Key[k,x2,y1,U]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I] / sum_{x',y'} Value[k,x',y',I]
Out[k,x,y,I] = sum_{x',y'} softmax_{x',y'} (alpha[k,x,y,x',y']) Value[k,x',y',I]
Value[k,x,y,I] = sum_{j=1}^{J-1} WV[k,I,j] h_in[x,y,j]
""",
    "ill-typed": r"""
Query[k,x,y,U] = WQ[k,J,U] h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J] h_in[y,x,J]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,J]
Query[k,x,y,U] = WQ[U,J] h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,I]
Query[k,x,y,U] = WQ[k,U,j] h_in[x,y,j]
Query[k,x,y,u] = WQ[k,u,j] h_in[x,y,j]
Query[k,x,y,U] = WQ[k,U,J] h_in[t,J]
Query[k,t,U] = WQ[k,U,J] h_in[t,J]
Query[x,y,U] = WQ[k,U,J] h_in[x,y,J]
Query[k,x,U] = WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,J] = WQ[k,U,J] h_in[x,y,J]
Query[k,x,y] = WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = WV[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J]
Query[k,x,y,U] = W[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J] h[x,y,J]
Query[k,x,y,U] = WQ[k,U,J] x[x,y,J]
Query[k,x,y,U] = sum_z WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = sum_i WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,u] = sum_j WQ[k,u,j] h_in[x,y,i]
Query[k,x,y,U] = WQ[k,U,J] + h_in[x,y,J]
Key[k,x,y,U] = WK[k,J,U] h_in[x,y,J]
Key[k,x,y,U] = WK[k,U,I] h_in[x,y,I]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[x1,y1,U] Key[x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,u] Key[k,x2,y2,u]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,y2,x2,U]
alpha[k,x1,x2,y1,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,t1,t2] = softmax_{t2} Query[k,t1,U] Key[k,t2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,I]
alpha[k,x1,y1,x2,y2] = softmax_{x3,y3} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Value[k,x2,y2,U]
Value[k,x,y,I] = WV[k,J,I] h_in[x,y,J]
Value[k,x,y,I] = WK[k,I,J] h_in[x,y,J]
Value[k,x,y,I] = WV[k,I,J] h_in[x,y,I]
Value[k,x,y,J] = WV[k,I,J] h_in[x,y,J]
Out[k,x,y,I] = alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x'} alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{t'} alpha[k,t,t'] Value[k,t',I]
Out[k,x,y,J] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,y',x'] Value[k,x',y',I]
h_out[x,y,J] = sum_k Out[k,x,y,I]
h_out[x,y,J] = Out[k,x,y,I]
h_out[x,y,J] = Out[1,x,y,I] + ... + Out[K,x,y,I]
h_out[x,y,I] = Out[1,x,y,I]; ...; Out[K,x,y,I]
h_out[x,y,I] = sum_k Out[k,x,y,I]
h_out[x,y,J] = Out[k,x,y,J]
h_out[x,y,J] = Out[1,x,y,I]; Out[2,x,y,I]
h_out[x,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]
h_out[x,y,J] = W^O[J,I] Out[k,x,y,I]
h_out[t,J] = Out[1,t,I]; ...; Out[K,t,I]
Foo[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J] // Key[k,x,y,U] = WK[k,J,U] h_in[x,y,J]
h_out[x,y,J] = \frac{1}{K} sum_k Out[k,x,y,I]
h_out[x,y,J] = Out[1,x,y,I]
h_out[x,y,J] = prod_k Out[k,x,y,I]
alpha[k,x1,y1,x2,y2] = softmax Query[k,x1,y1,U] Key[k,x2,y2,U]
Query[k,x,y,U] = W^Q h_in
Query = W^Q h_in
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} (Query[k,x1,y1,U] + Key[k,x2,y2,U])
Out[k,x,y,I] = sum_{k,x',y'} alpha[x,y,x',y'] Value[k,x',y',I]
Query[k,x,y,U] = Query[k,x,y,U]
Out[k,x,y,I] = Out[k,x,y,I] + 0 Value[k,x,y,I]
alpha[k,x1,y1,x2,y2] = alpha[k,x1,y1,x2,y2]
h_out[x,y,J] = h_out[x,y,J]
""",
    "unparseable": r"""
Query[k,x,y,U] = WQ[k,U,J h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J
Query[k,x,y,U] = (WQ[k,U,J] h_in[x,y,J]
Query[k,x,y,U] = WQ[k,U,J] + + h_in[x,y,J] *
Query[k,x,y,U] = WQ[k,U,J)] h_in[x,y,J]
Query[k,x,y,U] =
Query[k,x,y,U
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2 Query[k,x1,y1,U] Key[k,x2,y2,U]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2}
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} [Query[k,x1,y1,U] Key[k,x2,y2,U]
\alpha[k,x_1,y_1,x_2,y_2] = \text{softmax}_{x_2,y_2} \left( \text{Query}[k,x_1,y_1,U]\text{Key}[k,x_2,y_2,U]
Out[k,x,y,I] = sum alpha[k,x,y,x',y'] Value[k,x',y',I]
Out[k,x,y,I] = sum_{} alpha[k,x,y,x',y'] Value[k,x',y',I]
h_out[x,y,J] = ; ; Out[K,x,y,I]
replace t by x and y everywhere
= = =
""",
}

BLANK = {
    "equal": r"""
P(w_t | rest) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t|w_1,...,w_{t-1},w_{t+1},...,w_T) = softmax_{w_t} (e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])
P(w_t | ...) = softmax_{w_t} e[w_t,I] (W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J])
P(w_t | ...) = softmax_{w_t} sum_i e[w_t,i] (sum_j W_fwd[i,j] h_fwd[t-1,j] + sum_j W_bwd[i,j] h_bwd[t+1,j])
P(w_t | ...) = softmax_{w_t} sum_{i,j} e[w_t,i] (W_fwd[i,j] h_fwd[t-1,j] + W_bwd[i,j] h_bwd[t+1,j])
P(w_t | ...) = softmax_{w_t} [ sum_{i,j} e[w_t,i] W_fwd[i,j] h_fwd[t-1,j] + sum_{i,j} e[w_t,i] W_bwd[i,j] h_bwd[t+1,j] ]
P(w_t | ...) = softmax_{w_t} [ e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] + e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] ]
P(w_t | ...) = softmax_{w_t} [ h_fwd[t-1,J] W_fwd[I,J] e[w_t,I] + h_bwd[t+1,J] W_bwd[I,J] e[w_t,I] ]
P(w | rest) = softmax_w [ e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t = w | rest) = softmax_w [ e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_s | rest) = softmax_{w_s} [ e[w_s,I] W_fwd[I,J] h_fwd[s-1,J] + e[w_s,I] W_bwd[I,J] h_bwd[s+1,J] ]
P[w_t] = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t | rest) = exp(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]) / sum_w exp(e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J])
P(w_t | rest) = softmax_{w_t} [ e[w_t,A] W_fwd[A,B] h_fwd[t-1,B] + e[w_t,A] W_bwd[A,B] h_bwd[t+1,B] ]
P_{\Phi}(w_t | w_1, \dots, w_{t-1}, w_{t+1}, \dots, w_T) = \underset{w_t}{\operatorname{softmax}} e[w_t, I] \vec{W}[I, J] \vec{h}[t-1, J] + e[w_t, I] \tilde{W}[I, J] \tilde{h}[t+1, J]
P(w_t \mid w_1, \ldots, w_T) = \underset{w_t}{\text{softmax}} \left[ e[w_t, I] \vec{W}[I, J] \vec{h}[t-1, J] + e[w_t, I] \tilde{W}[I, J] \tilde{h}[t+1, J] \right]
P_\Phi(w_t | w_{\neq t}) = \text{softmax}_{w_t} \left( e[w_t, I] \vec W[I, J] \vec h[t-1, J] + e[w_t, I] \tilde W[I, J] \tilde h[t+1, J] \right)
P(w_t \mid \text{rest}) = \operatorname{softmax}_{w_t} e[w_t,I]\left(\vec{W}[I,J]\,\vec{h}[t-1,J] + \tilde{W}[I,J]\,\tilde{h}[t+1,J]\right)
P(w_t|\cdot) = \frac{\exp(e[w_t,I]\vec{W}[I,J]\vec{h}[t-1,J] + e[w_t,I]\tilde{W}[I,J]\tilde{h}[t+1,J])}{\sum_{w}\exp(e[w,I]\vec{W}[I,J]\vec{h}[t-1,J] + e[w,I]\tilde{W}[I,J]\tilde{h}[t+1,J])}
\begin{aligned} & P_{\Phi}(w_t | w_1, \dots, w_T) \\ &= \underset{w_t}{\operatorname{softmax}} e[w_t, I] \vec{W}[I, J] \vec{h}[t-1, J] + e[w_t, I] \tilde{W}[I, J] \tilde{h}[t+1, J] \end{aligned}
P(w_t | rest) = softmax_{w_t} \sum_{i,j} e[w_t,i] W_{fwd}[i,j] h_{fwd}[t-1,j] + \sum_{i,j} e[w_t,i] W_{bwd}[i,j] h_{bwd}[t+1,j]
u[I] = W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J] // P(w_t | rest) = softmax_{w_t} e[w_t,I] u[I]
s[w] = e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J] // P(w_t | rest) = softmax_{w_t} s[w_t]
softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t | w_1, ..., w_T) = softmax_{w_t}[ e[w_t,I] ( W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J] ) ]
P(w_t|\ldots)=\operatorname*{softmax}_{w_t}\;e[w_t,I]\overrightarrow{W}[I,J]\overrightarrow{h}[t-1,J]+e[w_t,I]\overleftarrow{W}[I,J]\overleftarrow{h}[t+1,J]
P(w_t|w_{-t}) = softmax_{w_t} ∑_i e[w_t,i] (∑_j W_fwd[i,j] h_fwd[t−1,j] + ∑_j W_bwd[i,j] h_bwd[t+1,j])
P(w_t | w_1..w_{t-1}, w_{t+1}..w_T) = softmax_{w_t} sum_I sum_J e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + sum_I sum_J e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t | rest) = \text{softmax}_{w_t} \{ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] \}
P(w_t \,|\, \text{context}) = \text{softmax}_{w_t} \left[ e[w_t,I]\vec{W}[I,J]\vec{h}[t-1,J] + e[w_t,I]\tilde{W}[I,J]\tilde{h}[t+1,J] \right]
P(w_t|rest) = softmax_{w_t} e[w_t,I] W_fwd[I,J1] h_fwd[t-1,J1] + e[w_t,I] W_bwd[I,J2] h_bwd[t+1,J2]
P(w_t|rest) = softmax_{w_t} e[w_t,I1] W_fwd[I1,J] h_fwd[t-1,J] + e[w_t,I2] W_bwd[I2,J] h_bwd[t+1,J]
P(w_t|rest) = e^{e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]} / sum_w e^{e[w,I] W_fwd[I,J] h_fwd[t-1,J] + e[w,I] W_bwd[I,J] h_bwd[t+1,J]}
P(w_t|rest) = (exp(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) exp(e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])) / sum_w (exp(e[w,I] W_fwd[I,J] h_fwd[t-1,J]) exp(e[w,I] W_bwd[I,J] h_bwd[t+1,J]))
P(w_t | w_1, ..., w_{t-1}, w_{t+1}, ..., w_T) = softmax_{w_t} [e[w_t, I] W_fwd[I, J] h_fwd[t - 1, J] + e[w_t, I] W_bwd[I, J] h_bwd[t + 1, J]]
P(w_t|rest) = softmax_{w_t}\left(e[w_t,I]\left(\vec W[I,J]\vec h[t-1,J]+\tilde W[I,J]\tilde h[t+1,J]\right)\right)
P(w_t|rest) = softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J] e[w_t,I]
P(w_t | rest) = softmax_{w_t} [sum_{ij} e[w_t,i] W_fwd[i,j] h_fwd[t-1,j] + sum_{ij} e[w_t,i] W_bwd[i,j] h_bwd[t+1,j]]
""",
    "different": r"""
P(w_t | ...) = softmax_{w_t} (W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J]) e[w_t,I]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t,J] + e[w_t,I] W_bwd[I,J] h_bwd[t,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t+1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t-1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t-1,J] ]
P(w_t|...) = (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t|...) = softmax_{w_t}[e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t|...) = softmax_{w_t}(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + softmax_{w_t}(e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])
P(w_t|...) = (1/2)(softmax_{w_t}(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + softmax_{w_t}(e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]))
P(w_t|...) = softmax_{w_t}(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) softmax_{w_t}(e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])
P(w_t|...) = e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] - e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_fwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_bwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_fwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] e[w_t,K] W_bwd[K,L] h_bwd[t+1,L] ]
P(w_t|...) = exp(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])
P(w_t|...) = sigmoid(e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-2,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+2,J] ]
P(w_t|...) = softmax_{w_t} [ (1/sqrt(J)) (e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]) ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_bwd[t+1,J] + e[w_t,I] W_bwd[I,J] h_fwd[t-1,J] ]
P(w_t|rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]
P(w_t|rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]] + softmax_{w_t} [e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]
P(w_t|rest) = softmax_{w_t} e[w_t,I] (W_fwd[I,J] + W_bwd[I,J]) (h_fwd[t-1,J] + h_bwd[t+1,J])
""",
    "ill-typed": r"""
P(w_t|...) = softmax_{w_t} [ e[w_t,I] h_fwd[t-1,I] + e[w_t,I] h_bwd[t+1,I] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,J] h_fwd[t-1,J] + e[w_t,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[J,I] h_fwd[t-1,J] + e[w_t,I] W_bwd[J,I] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[I,w_t] W_fwd[I,J] h_fwd[t-1,J] + e[I,w_t] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,i] W_fwd[i,j] h_fwd[t-1,j] + e[w_t,i] W_bwd[i,j] h_bwd[t+1,j] ]
P(w_t|...) = softmax_{w_t} [ W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t] W_fwd[I,J] h_fwd[t-1,J] + e[w_t] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[J] + e[w_t,I] W_bwd[I,J] h_bwd[J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h[t-1,J] + e[w_t,I] W_bwd[I,J] h[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W[I,J] h_fwd[t-1,J] + e[w_t,I] W[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] (h_fwd[t-1,J] + h_bwd[t+1,I]) ]
P(w_t|...) = softmax_{v} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J] ]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] [h_fwd[t-1,J]; h_bwd[t+1,J]] ]
P(w_t|rest) = softmax_{w_t} e[w_t,I] W_fwd[I,J] [h_fwd[t-1,J]; h_bwd[t+1,J]]
P(w_t|rest) = softmax_{w_t} e[w_t,I] (W_fwd[I,J] + W_bwd[I,J]) (h_fwd[t-1,J] + h_bwd[t+1,K])
P(w_t|rest) = softmax_{w_t} [e[w_t,I] + W_fwd[I,J] h_fwd[t-1,J] + W_bwd[I,J] h_bwd[t+1,J]]
P(w_t|rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t-1] + e[w_t,I] W_bwd[I,J] h_bwd[t+1]]
P(w_t | rest) = P(w_t | rest)
""",
    "unparseable": r"""
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t|...) = softmax_{w_t} [ e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + ]
P(w_t|... = softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I W_fwd[I,J] h_fwd[t-1,J]
the softmax of the sum of both scores
""",
}

CAPTION = {
    "equal": r"""
P(w_t|w_0..w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J]
P(w_t | w_0, ..., w_{t-1}) = softmax_{w_t} sum_{i,j} e[w_t,i] W_auto[i,j] h[t-1,j]
P(w_t \mid w_0, \dots, w_{t-1}) = \underset{w_t}{\text{softmax}} \ e[w_t, I] W^{\text{auto}}[I, J] h[t-1, J]
P(w_t \mid w_0, \dots, w_{t-1}) &= \underset{w_t}{\text{softmax}} \ e[w_t, I] W^{\text{auto}}[I, J] h[t-1, J] \\
P(w_t|h[0,J],M) = softmax_{w_t} h[t-1,J] W_auto[I,J] e[w_t,I]
P(w_t | w_1,...,w_{t-1}) = exp(e[w_t,I] W_auto[I,J] h[t-1,J]) / sum_w exp(e[w,I] W_auto[I,J] h[t-1,J])
P_\Phi(w_t|w_1, \ldots, w_{t-1}) = \text{softmax}_{w_t}\, e[w_t,I]\,W^{auto}[I,J]\,h[t-1,J]
P(w_t|past) = softmax(e[w_t,I] W_auto[I,J] h[t-1,J])
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = softmax_{x,y} [h[t-1,J] W_key[J,K] M[x,y,K]]
alpha[x,y] = softmax_{x,y} M[x,y,K] W_key[J,K] h[t-1,J]
alpha[x,y] = softmax_{x,y} sum_{j,k} h[t-1,j] W_key[j,k] M[x,y,k]
alpha[x,y] = softmax_{x,y} sum_j sum_k h[t-1,j] W_key[j,k] M[x,y,k]
alpha[a,b] = softmax_{a,b} h[t-1,J] W_key[J,K] M[a,b,K]
alpha_t[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K]
\alpha[x, y] = \underset{x, y}{\text{softmax}} \ h[t-1, J] W^{\text{key}}[J, K] M[x, y, K]
\alpha[x, y] &= \underset{x, y}{\text{softmax}} \ h[t-1, J] W^{\text{key}}[J, K] M[x, y, K]
\alpha[x,y] = \text{softmax}_{x,y}\left(\sum_{j,k} h[t-1,j]\, W^{\text{key}}[j,k]\, M[x,y,k]\right)
α[x,y] = softmax_{x,y} h[t−1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = exp(h[t-1,J] W_key[J,K] M[x,y,K]) / sum_{x',y'} exp(h[t-1,J] W_key[J,K] M[x',y',K])
V[K] = sum_{x,y} alpha[x,y] M[x,y,K]
V[k] = sum_{x,y} alpha[x,y] M[x,y,k]
V[K] = sum_x sum_y M[x,y,K] alpha[x,y]
V[K] = sum_{x=1}^X sum_{y=1}^Y alpha[x,y] M[x,y,K]
V[K] = alpha[X,Y] M[X,Y,K]
V[K] = \sum_{x, y} \alpha[x, y] M[x, y, K]
V[K] &= \sum_{x, y} \alpha[x, y] M[x, y, K] \\
V[K] = \sum_{a,b} \alpha[a,b] \cdot M[a,b,K]
V_t[K] = sum_{x,y} alpha_t[x,y] M[x,y,K]
h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])
h[t, J] = \text{CELL}_{\Phi}(h[t-1, J], V[K], e[w_t, I])
h[t, J] = \operatorname{CELL}_\Phi\left(h[t-1, J],\, V[K],\, e[w_t, I]\right)
h[t,J] = CELL_Phi(h[t-1,J], V[K], e[w_t,I])
h[t,J] = CELL_{Φ}(h[t-1,J], V[K], e[w[t],I])
h[s,J] = CELL(h[s-1,J], V[K], e[w_s,I])
h[t,J] = Cell(h[t-1,J], V[K], e[w_t,I])
h[t,J] = CELL(h[t-1,J], sum_{x,y} alpha[x,y] M[x,y,K], e[w_t,I])
P(w_t|w_0,\ldots,w_{t-1}) = \text{softmax}_{w_t}\left(\sum_{i,j} e[w_t,i]W^{\text{auto}}[i,j]h[t-1,j]\right)
P(w_t | w_0, ..., w_{t-1}) = softmax_{w_t} e[w_t, I] W^{auto}[I, J] h[t-1, J]
P(w_t | w_{<t}) = softmax_{w_t} e[w_t,I] Wauto[I,J] h[t-1,J]
P(w_t | w_<t, M) = softmax_{w_t} e[w_t,I] W_{auto}[I,J] h[t-1,J]
alpha[x, y] = softmax_{x, y} ( h[t-1, J] W^{key}[J, K] M[x, y, K] )
alpha[x,y] = softmax_{x,y} h[t-1,J1] W_key[J1,K1] M[x,y,K1]
\alpha[x,y] = \frac{\exp(h[t-1,J]W^{\text{key}}[J,K]M[x,y,K])}{\sum_{x',y'}\exp(h[t-1,J]W^{\text{key}}[J,K]M[x',y',K])}
V[K] = \sum_{x}\sum_{y} \alpha[x,y]\,M[x,y,K]
V[k] = ∑_{x,y} α[x,y] M[x,y,k]
h[t,J] = CELL[h[t-1,J], V[K], e[w_t,I]]
h[t, J] = \mathrm{CELL}_{\Phi}\big(h[t-1, J], V[K], e[w_t, I]\big)
h_t[J] = CELL(h_{t-1}[J], V[K], e_{w_t}[I])
V[K] = (1/(sum_{x,y} alpha[x,y])) sum_{x,y} alpha[x,y] M[x,y,K]
h[t+1,J] = CELL(h[t,J], V[K], e[w_{t+1},I])
h[t,J] = CELL(h[t-1,J], V, e[w_t,I])
h[t,J] = CELL(h[t-1,J], V[K], e[w_t])
alpha[x,y] = softmax_{xy} h[t-1,J] W_key[J,K] M[x,y,K]
V[K] = sum_{xy} alpha[x,y] M[x,y,K]
""",
    "different": r"""
P(w_t|...) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t,J]
P(w_t|...) = e[w_t,I] W_auto[I,J] h[t-1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-2,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t+1,J]
P(w_t|...) = sigmoid(e[w_t,I] W_auto[I,J] h[t-1,J])
P(w_t|...) = softmax_{w_t} 2 e[w_t,I] W_auto[I,J] h[t-1,J]
P(w_t|...) = softmax_{w_t} (1/sqrt(J)) e[w_t,I] W_auto[I,J] h[t-1,J]
alpha[x,y] = (softmax_x h[t-1,J] W_key[J,K] M[x,y,K]) (softmax_y h[t-1,J] W_key[J,K] M[x,y,K])
alpha[x,y] = softmax_x h[t-1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = softmax_y h[t-1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = h[t-1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = softmax_{x,y} h[t,J] W_key[J,K] M[x,y,K]
alpha[x,y] = 1/(XY)
alpha[x,y] = exp(h[t-1,J] W_key[J,K] M[x,y,K])
alpha[x,y] = softmax_{x,y} (1/sqrt(K)) h[t-1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = softmax_x softmax_y h[t-1,J] W_key[J,K] M[x,y,K]
V[K] = (1/(XY)) sum_{x,y} M[x,y,K]
V[K] = \frac{1}{XY} \sum_{x,y} M[x,y,K]
V[K] = sum_{x,y} M[x,y,K]
V[K] = (1/(X Y)) sum_{x,y} alpha[x,y] M[x,y,K]
V[K] = sum_{x,y} alpha[x,y]^2 M[x,y,K]
V[K] = (sum_{x,y} alpha[x,y]) (sum_{x,y} M[x,y,K])
V[K] = softmax_K sum_{x,y} alpha[x,y] M[x,y,K]
V[K] = sum_{x,y} alpha[x,y] + sum_{x,y} M[x,y,K]
h[t,J] = CELL(h[t,J], V[K], e[w_t,I])
h[t,J] = CELL(h[t-1,J], V[K], e[w_{t-1},I])
h[t,J] = CELL(h[t-1,J], V[K], e[w_{t+1},I])
h[t,J] = CELL(h[t+1,J], V[K], e[w_t,I])
h[t,J] = CELL(h[t-2,J], V[K], e[w_t,I])
h[t,J] = CELL(h[t-1,J], sum_{x,y} M[x,y,K], e[w_t,I])
h[t,J] = h[t-1,J]
h[t,J] = h[t-1,J] + CELL(h[t-1,J], V[K], e[w_t,I])
h[t,J] = tanh(CELL(h[t-1,J], V[K], e[w_t,I]))
V[K] = max_{x,y} M[x,y,K]
alpha[x,y] = softmax_{x,y} h[0,J] W_key[J,K] M[x,y,K]
h[t,J] = CELL(h[t-1,J], V[K], e[w_0,I])
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K] / (X Y)
alpha[x,y] = h[t-1,J] W_key[J,K] M[x,y,K] / sum_{x,y} h[t-1,J] W_key[J,K] M[x,y,K]
h[t,J] = tanh(W_auto[I,J] e[w_t,I] + h[t-1,J])
""",
    "ill-typed": r"""
P(w_t|w_0..w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[J,I] h[t-1,J]
P(w_t|w_0..w_{t-1}) = softmax_{w_t} e[w_t,I] W_key[I,J] h[t-1,J]
P(w_t|...) = softmax_{w_t} e[w_t,J] h[t-1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[J]
P(w_t|...) = softmax_{w_t} e[w_t,i] W_auto[i,j] h[t-1,j]
P(w_t|...) = softmax_{w_t} W_auto[I,J] h[t-1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_auto[I,K] h[t-1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_foo[I,J] h[t-1,J]
P(w_t|...) = softmax_{w_t} e[w_t,I] W_auto[I,J] V[J]
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,J] M[x,y,J]
alpha[x] = softmax_{x} h[t-1,J] W_key[J,K] M[x,y,K]
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[K,J] M[x,y,K]
alpha[x,y] = softmax_{x,y} h[t-1,J] M[x,y,J]
alpha[x,y] = softmax_{x,y} h[t-1,K] M[x,y,K]
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[y,x,K]
alpha[x,y] = softmax_{x,y} h[t-1,J1] W_key[J1,J2] M[x,y,J3]
alpha[x,y] = softmax_{x,y} h[t-1,j] W_key[j,k] M[x,y,k]
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,K]
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[t_in,K]
alpha[t_in] = softmax_{t_in} h[t-1,J] W_key[J,K] M[t_in,K]
alpha[x,y] = softmax_{t_in} h[t-1,J] W_key[J,K] M[x,y,K]
V[K] = alpha[x,y] M[x,y,K]
V[K] = sum_x alpha[x,y] M[x,y,K]
V[J] = sum_{x,y} alpha[x,y] M[x,y,K]
V[K] = sum_{x,y} alpha[x,y] M[x,y]
V[K] = sum_{x,y} alpha[x] M[x,y,K]
V[K] = sum_{x,y} alpha[y,x] M[x,y,K]
V[K] = sum_{t_in} alpha[t_in] M[t_in,K]
V = sum_{x,y} alpha[x,y] M[x,y,K]
V[K] = sum_{x,y,z} alpha[x,y] M[x,y,K]
h[t,J] = CELL(h[t-1,J], V[J], e[w_t,I])
h[t,J] = CELL(V[K], h[t-1,J], e[w_t,I])
h[t,J] = CELL(h[t-1,J], e[w_t,I])
h[t,J] = CELL(h[t-1,J], e[w_t,I], V[K])
h[t,J] = CELL(h[t-1,J], V[K], e[w_t,J])
h[t,J] = CELL(h[t-1,J], V[K])
h[t,K] = CELL(h[t-1,J], V[K], e[w_t,I])
h[t,J] = CELL(h[t-1,J], M[x,y,K], e[w_t,I])
h[t,J] = LSTM(h[t-1,J], V[K], e[w_t,I])
alpha[x,y] = softmax_{x,y} h[J] W_key[J,K] M[x,y,K]
h[J] = CELL(h[t-1,J], V[K], e[w_t,I])
alpha[x,y,K] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K]
V[K] = sum_{x,y} alpha[x,y] M[x,y,J]
V[x,y] = alpha[x,y] M[x,y,K]
h[t,J] = W_auto[I,J] e[w_t,I] + h[t-1,J] V[K]
V[K] = V[K]
alpha[x,y] = alpha[x,y]
""",
    "unparseable": r"""
P(w_t|...) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J
alpha[x,y] = softmax_{x,y} (h[t-1,J] W_key[J,K] M[x,y,K]
V[K] = sum_{x,y alpha[x,y] M[x,y,K]
V[K] = sum_{x,y} alpha[x,y] * * M[x,y,K]
h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I]
h[t,J] = CELL(h[t-1,J],, V[K], e[w_t,I])
""",
}

EMBEDDING = {
    "equal": r"""
L_0[b,t,i] = e[w[b,t],i]
L_{0}[b,t,i] = e[w_{b,t},\, i]
L_0[b, t, i] = e[w[b, t], i]
$L_0[b,t,i] = e[w[b,t],i]$
L_0[b,t,I] = e[w[b,t],I]
L_0[n,s,c] = e[w[n,s],c]
L_0[b,t,i] = e[w(b,t), i]
L_0[b,t,i] = e_{w[b,t],i}
L_0[b,t,i] = e_{w_{b,t}}[i]
L_0[b,t,i] = e[w[b,t]][i]
L0[b,t,i] = e[w[b,t],i]
L_0(b,t,i) = e(w(b,t),i)
L_{0}[b,t,i] := e[w_{b,t}, i]
\mathbf{L}_0[b,t,i] = \mathbf{e}[w[b,t],i]
L₀[b,t,i] = e[w[b,t],i]
e[w[b,t],i]
L_0[b,t,i] = e[w[b][t],i]
L_0[b,t,i] = e[w[b,t], i].
L_{0}[b, t, i] = e\left[ w[b, t],\; i \right]
L_0[b, t, i] = e_{w_{b,t},\, i}
L_0[b,t,i] = sum_v e[v,i] e[v,i] / sum_v e[v,i] e[v,i] * e[w[b,t],i]
L_0[b,t,i] = e[w_{b t},i]
L_0[b,t,i] = e[w_{bt},i]
""",
    "different": r"""
L_0[b,t,i] = e[w[b,t-1],i]
L_0[b,t,i] = e[w[b,t+1],i]
L_0[b,t,i] = 2 e[w[b,t],i]
L_0[b,t,i] = e[w[b,t],i] + 1
L_0[b,t,i] = e[w[b,2t],i]
L_0[b,t,i] = softmax_i e[w[b,t],i]
L_0[b,t,i] = e[w[b,t],i] + e[w[b,t-1],i]
L_0[b,t,i] = tanh(e[w[b,t],i])
L_0[b,t,i] = -e[w[b,t],i]
L_0[b,t,i] = e[w[b,t],i]^2
L_0[b,t,i] = e[w[b,t],i] / sqrt(I)
L_0[b,t,i] = e[w[b,T-t-1],i]
L_0[b,t,i] = sum_{t'} e[w[b,t'],i] + 0 t
L_0[b,t,i] = e[w[b,t],i] + e[w[b,t],i]
L_0[b,t,i] = sum_{w} e[w,i] + 0 b t
""",
    "ill-typed": r"""
L_0[b,t,i] = e[w[b,t]]
L_0[b,t,i] = w[b,t,i]
L_0[b,t,i] = e[w[t],i]
L_0[b,t,i] = e[w_t,i]
L_0[b,t,i] = e[w[t,b],i]
L_0[b,t,i] = e[i,w[b,t]]
L_0[b,t,i] = e[b,t,i]
L_0[t,i] = e[w[b,t],i]
L_0[t,i] = e[w[t],i]
L_0[b,t] = e[w[b,t],i]
L_0[b,t,i] = e[w[b,t],j]
L_0[b,t,i] = E[w[b,t],i]
L_0[b,t,i] = e[t,i]
L_0[b,t,i] = e[b,i]
L_0[b,t,i] = w[b,t]
L_0[b,t,i] = w[b,t] e[i]
L_0[b,t,i] = e[w,i]
L_0[b,t,i] = e[w[b,t],i,t]
L_0[b,i,t] = e[w[b,t],i]
L_0[b,t,i] = sum_j e[w[b,t],i]
L_0[b,t,i] = x[b,t,i]
L_0[b,t,i] = e[w[b,t],I]
L_0[b,t,i] = e[w_b,t,i]
L_0[b,t,i] = sum_w e[w,i]
L_0[b,t,i] = L_0[b,t,i]
L_0[b,t,i]
A[b,t,i] = L_0[b,t,i] // L_0[b,t,i] = A[b,t,i]
""",
    "unparseable": r"""
L_0[b,t,i] = e[w[b,t],i
L_0[b,t,i] = e[w[b,t,i]
L_0[b,t,i = e[w[b,t],i]
L_0[b,t,i] = e[w[b,t],,i]
L_0[b,t,i] =
L_0[b,t,i] = e[w[b,t],i]]
look up the word
""",
}

LAYER = {
    "equal": r"""
L_{l+1}[b,t,i] = sigma( ( sum_{dt,i2} W_{l+1}[dt,i2,i] L_l[b,2t+dt,i2] ) - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( - B_{l+1}[i] + sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] )
L_{l+1}[b,t,i] = sigma( sum_{dt} sum_{j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt} W_{l+1}[dt,J,i] L_l[b,2t+dt,J] - B_{l+1}[i] )
L_{l+1}[b,t,i] = σ(Σ_{Δt,i'} W_{l+1}[Δt,i',i] L_l[b,2t+Δt,i'] − B_{l+1}[i])
L_{l+1}[b,t,i] = sigma( sum_{dt=0}^{D-1} sum_{i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,i'} L_l[b,2*t+dt,i'] W_{l+1}[dt,i',i] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{i',dt} W_{l+1}[dt,i',i] L_l[b,dt+2t,i'] - B_{l+1}[i] )
L_{l+1}[b,s,o] = sigma( sum_{d,c} W_{l+1}[d,c,o] L_l[b,2s+d,c] - B_{l+1}[o] )
L_{\ell+1}[b, t, i] = \sigma \left( \left( \sum_{\Delta t, i'} W_{\ell+1}[\Delta t, i', i] L_{\ell}[b, 2t + \Delta t, i'] \right) - B_{\ell+1}[i] \right)
L_{\ell+1}[b, t, i] = \sigma\left(\sum_{\Delta t}\sum_{i'} W_{\ell+1}[\Delta t, i', i]\, L_\ell[b, 2t+\Delta t, i'] - B_{\ell+1}[i]\right)
L_{\ell+1}[b,t,i] = \sigma\Big(\sum_{\Delta t,\,i'} W_{\ell+1}[\Delta t,i',i]\,L_{\ell}[b,2t+\Delta t,i'] - B_{\ell+1}[i]\Big)
L_{ℓ+1}[b,t,i] = σ((∑_{Δt,i'} W_{ℓ+1}[Δt,i',i] L_ℓ[b,2t+Δt,i']) − B_{ℓ+1}[i])
L_{l+1}[b,t,I] = sigma( sum_{dt} W_{l+1}[dt,I2,I] L_l[b,2t+dt,I2] - B_{l+1}[I] )
z[b,t,i] = sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] // L_{l+1}[b,t,i] = sigma(z[b,t,i] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma( sum_{Delta t, i'} W_{l+1}[Delta t, i', i] L_l[b, 2t + Delta t, i'] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma(sum_dt sum_j W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma[ sum_{dt,i'} W_{l+1}[dt,i',i] * L_l[b, 2*t + dt, i'] - B_{l+1}[i] ]
L_{\ell+1}[b,t,i]=\sigma\!\left(\sum_{\Delta t=0}^{D-1}\sum_{i'} W_{\ell+1}[\Delta t,i',i]\,L_\ell[b,2t+\Delta t,i']-B_{\ell+1}[i]\right)
L_{\ell+1}[b,t,i] = \sigma\left(-B_{\ell+1}[i] + \sum_{\Delta t, i'} W_{\ell+1}[\Delta t, i', i] L_\ell[b, 2t+\Delta t, i']\right)
L_{l+1}[b,t,i] = sigma( sum_{dt,k} W_{l+1}[dt,k,i] L_l[b,t+t+dt,k] - B_{l+1}[i] )
L_{l+1}[b, t, i] = σ( Σ_{Δt, i′} W_{l+1}[Δt, i′, i] L_l[b, 2t + Δt, i′] − B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma(sum_{dt} sum_{i'} W_{l+1}[dt,i',i]L_l[b,2t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = \sigma\left(\sum_{d,c} W_{l+1}[d,c,i] L_l[b,2t+d,c]-B_{l+1}[i]\right)
L_(l+1)[b,t,i] = sigma(sum_{dt,j} W_(l+1)[dt,j,i] L_l[b,2t+dt,j] - B_(l+1)[i])
""",
    "different": r"""
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,t+2dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,i,j] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,i] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,i} W_{l+1}[dt,i,i] L_l[b,2t+dt,i] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] + B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] )
L_{l+1}[b,t,i] = sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i]
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] ) - B_{l+1}[i]
L_{l+1}[b,t,i] = sigma( sum_{dt,j} (W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i]) )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t-dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2(t+dt),j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+2dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt+1,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt-1,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,3t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( B_{l+1}[i] - sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] )
L_{l+1}[b,t,i] = tanh( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = ReLU( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] ) )
L_{l+1}[b,t,i] = sigma( (1/D) sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{\ell+1}[b,t,i] = \sigma\left(\sum_{\Delta t,i'} W_{\ell+1}[\Delta t,i',i] L_\ell[b,2t+\Delta t,i'] + B_{\ell+1}[i]\right)
L_{\ell+1}[b,t,i] = \sigma\left(\sum_{\Delta t,i'} W_{\ell+1}[\Delta t,i',i] L_\ell[b,t+\Delta t,i'] - B_{\ell+1}[i]\right)
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] B_{l+1}[i] )
L_{l+1}[b,t,i] = relu( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,2t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]) + L_{l+1}[b,t,i]
L_{l+1}[b,t,i] = max_{dt} sigma(sum_{i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sum_{dt,i'} sigma(W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - 2 B_{l+1}[i])
L_{l+1}[b,t,i] = max(0, sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i])
""",
    "ill-typed": r"""
L_{l+1}[b,t,i] = sigma( sum_{j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[2t+dt,j] - B_{l+1}[i] )
L_{l+1}[t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[j] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1} )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_l[dt,j,i] L_l[b,2t+dt,j] - B_l[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j,k} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,j] = sigma( sum_{dt,i2} W_{l+1}[dt,i2,i] L_l[b,2t+dt,i2] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[j,dt,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] X[b,2t+dt,j] - B_{l+1}[i] )
L_{\ell+1}[b, t, i] = \sigma \left( \left( \sum_{\Delta t, i'} W_{\ell+1}[\Delta t, i', i] L_{\ell}[2t + \Delta t, i'] \right) - B_{\ell+1}[i] \right)
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_{l+1}[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt',i'] - B_{l+1}[i])
L_{l+1}[b,t,i] = sigma(sum_{t,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])
""",
    "unparseable": r"""
L_{l+1}[b,t,i] = sigma( ( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i]
L_{l+1}[b,t,i] = sigma( sum_{dt,j W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+,j] - B_{l+1}[i] )
L_{l+1}[b,t,i] = sigma( sum_{dt,j} W_{l+1}[dt,j,i] L_l[b,2t+dt,j] - )
\sigma \left( \sum_{\Delta t, i'} W_{\ell+1}[\Delta t, i', i
""",
}

MERGED = {
    "equal": r"""
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = 1/sqrt(I) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = WQ[k,I,j1] WK[k,I,j2] / sqrt(I)
W_tilde[k,j1,j2] = I^{-1/2} WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = I^(-1/2) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = I^{-0.5} sum_i WQ[k,i,j1] WK[k,i,j2]
W_tilde[k,j1,j2] = I**(-0.5) * sum_i WQ[k,i,j1] * WK[k,i,j2]
W_tilde[k,j1,j2] = sum_i WQ[k,i,j1] WK[k,i,j2] / sqrt(I)
W_tilde[k,j1,j2] = (sum_i WQ[k,i,j1] WK[k,i,j2]) / sqrt(I)
W_tilde[k,j1,j2] = sum_i (1/sqrt(I)) WK[k,i,j2] WQ[k,i,j1]
W_tilde[k,j1,j2] = sum_{i=1}^{I} WQ[k,i,j1] WK[k,i,j2] / sqrt(I)
W_tilde[k,J1,J2] = (1/sqrt(I)) WQ[k,I,J1] WK[k,I,J2]
W_tilde[k,J,J'] = (1/sqrt(I)) WQ[k,I,J] WK[k,I,J']
W_tilde[K,J1,J2] = (1/sqrt(I)) WQ[K,I,J1] WK[K,I,J2]
W_tilde[h,a,b] = (1/sqrt(I)) WQ[h,I,a] WK[h,I,b]
W_tilde[k,j,j'] = (1/√I) Σ_i WQ[k,i,j] WK[k,i,j']
W_tilde[k,j1,j2] = (WQ[k,I,j1] / sqrt(I)) WK[k,I,j2]
W_tilde[k,j1,j2] = sqrt(1/I) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt I) WQ[k,I,j1] WK[k,I,j2]
\tilde{W}^Q[k, j_1, j_2] = \frac{1}{\sqrt{I}} W^Q[k, I, j_1] W^K[k, I, j_2]
\tilde{W}^Q[k, j_1, j_2] &= \frac{1}{\sqrt{I}} W^Q[k, I, j_1] W^K[k, I, j_2]
\tilde{W}^Q[k,J_1,J_2] = \frac{1}{\sqrt{I}} W^Q[k,I,J_1]W^K[k,I,J_2]
\tilde W^Q[k,j_1,j_2] = \frac{1}{\sqrt I}\sum_{i} W^Q[k,i,j_1]\,W^K[k,i,j_2]
\tilde{W}^{Q}[k,j_1,j_2] = \frac{\sum_{i=1}^{I} W^{Q}[k,i,j_1] W^{K}[k,i,j_2]}{\sqrt{I}}
\tilde{W}^Q[k,j_1,j_2] = I^{-\frac{1}{2}} W^Q[k,I,j_1] W^K[k,I,j_2]
\widetilde{W}^Q[k,j_1,j_2] = \dfrac{W^Q[k,I,j_1]\, W^K[k,I,j_2]}{\sqrt{I}}
\tilde{W}^Q_k = \frac{1}{\sqrt{I}} (W^Q_k)^\top W^K_k
W_tilde_k = (1/sqrt(I)) (WQ_k)^T WK_k
W_tilde[k] = (1/sqrt(I)) WQ[k]^T WK[k]
\tilde{W}_{\ell+1}^Q[k,j_1,j_2] = \frac{1}{\sqrt{I}} W_{\ell+1}^Q[k,I,j_1] W_{\ell+1}^K[k,I,j_2]
W̃^Q[k,j₁,j₂] = (1/√I) W^Q[k,I,j₁] W^K[k,I,j₂]
W_tilde[k,j1,j2] = (1/sqrt(I)) sum_i WQ[k,i,j1] WK[k,i,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) S[k,j1,j2] // S[k,a,b] = WQ[k,I,a] WK[k,I,b]
\tilde{W}^Q[k, j_1, j_2] = \frac{1}{\sqrt{I}} \sum_{i=1}^{I} W^Q[k, i, j_1]\, W^K[k, i, j_2]
\tilde{W}^Q[k,j_1,j_2]=\frac1{\sqrt I}W^Q[k,I,j_1]W^K[k,I,j_2]
W_tilde[k,j1,j2] = sum_i WQ[k,i,j1]*WK[k,i,j2]/sqrt(I)
W_tilde[k,j1,j2] = sum_i WQ[k,i,j1] * WK[k,i,j2] / I^0.5
W_tilde[k,j1,j2] = \sum_i \frac{W^Q[k,i,j_1]}{I^{1/4}} \frac{W^K[k,i,j_2]}{I^{1/4}}
\tilde{W}^Q[k,J,J'] = I^{-1/2} W^Q[k,I,J] W^K[k,I,J']
W~[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
\tilde{W}[k,j_1,j_2] = (1/\sqrt{I}) W_Q[k,I,j_1] W_K[k,I,j_2]
\tilde{W}^Q_k = \frac{1}{\sqrt{I}} {W^Q_k}^\top W^K_k
W_tilde[k] = WQ[k]^T WK[k] / sqrt(I)
W_tilde[k,j1,j2] = (1/sqrt(I)) (WQ[k]^T WK[k])[j1,j2]
W_tilde[k,j1,j2] = \frac{W^Q[k,I,j_1] W^K[k,I,j_2]}{\sqrt{I}}
W_tilde[k,j1,j2] = (1/sqrt(I))*sum_{i}(WQ[k,i,j1]*WK[k,i,j2])
W_tilde[k,j_1,j_2] = 1/√I · Σ_i WQ[k,i,j_1]·WK[k,i,j_2]
""",
    "different": r"""
W_tilde[k,j1,j2] = WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = sum_i WQ[k,i,j1] WK[k,i,j2]
W_tilde[k,j1,j2] = (1/I) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = sqrt(I) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(J)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(K)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WK[k,I,j1] WQ[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j2] WK[k,I,j1]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WQ[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WK[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) (WQ[k,I,j1] WK[k,I,j2])^2
W_tilde[k,j1,j2] = (1/(2 sqrt(I))) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = -(1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) (sum_i WQ[k,i,j1]) (sum_i WK[k,i,j2])
W_tilde[k,j1,j2] = softmax_{j2} (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) sum_i (WQ[k,i,j1] + WK[k,i,j2])
\tilde{W}^Q[k,j_1,j_2] = W^Q[k,I,j_1] W^K[k,I,j_2]
\tilde{W}^Q_k = \frac{1}{\sqrt{I}} (W^K_k)^\top W^Q_k
W_tilde[k,j2,j1] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,1,j1] WK[k,1,j2]
W_tilde[k] = WK[k]^T WQ[k] / sqrt(I)
W_tilde[k,j1,j2] = (1/sqrt(2 I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = sum_{i} WQ[k,i,j1] WK[k,i,j2] / sqrt(I) + WQ[k,1,j1]
\tilde{W}^Q[k,j_1,j_2] = \frac{1}{I} W^Q[k,I,j_1] W^K[k,I,j_2]
\tilde{W}^Q[k,j_1,j_2] = \sqrt{I}\, W^Q[k,I,j_1] W^K[k,I,j_2]
""",
    "ill-typed": r"""
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,i,j1] WK[k,i,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,j1,I] WK[k,j2,I]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[I,j1] WK[I,j2]
W_tilde[j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,J] WK[k,I,J]
W_tilde[k,i1,i2] = (1/sqrt(I)) WQ[k,i1,J] WK[k,i2,J]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I2,j2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] W[k,I,j2]
W_tilde[k,j1,j2] = (1/sqrt(d)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,J,J] = (1/sqrt(I)) WQ[k,I,J] WK[k,I,J]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1]
W_tilde[k] = (1/sqrt(I)) WQ[k] WK[k]
W_tilde = (1/sqrt(I)) WQ^T WK
W_tilde[k,j1,j2] = sum_n (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k] = (1/sqrt(I)) WQ[k] WK[k]^T
W_tilde[k,i,j] = (1/sqrt(I)) WQ[k,i,J] WK[k,J,j]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,j2,I]
W_tilde[k,j1,j2] = W_tilde[k,j1,j2]
""",
    "unparseable": r"""
W_tilde[k,j1,j2] = (1/sqrt(I) WQ[k,I,j1] WK[k,I,j2]
W_tilde[k,j1,j2] = \frac{1}{\sqrt{I} W^Q[k,I,j_1] W^K[k,I,j_2]
W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1 WK[k,I,j2]
W_tilde[k,j1,j2] = / sqrt(I)
\tilde{W}^Q[k,j_1,j_2] = \frac{1}{\sqrt{I}
W_tilde[k,j1,j2] = (1/sqrt(I))) WQ[k,I,j1] WK[k,I,j2]
""",
}

ATTENTION = {
    "equal": r"""
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k,t1,t2] = softmax_{t2} sum_{a,b} L[t1,a] W_tilde[k,a,b] L[t2,b]
alpha[k,t1,t2] = softmax_{t2} (sum_{j1,j2} L[t1,j1] W_tilde[k,j1,j2] L[t2,j2])
alpha[k,t1,t2] = softmax_{t2} sum_{j1} sum_{j2} L[t2,j2] L[t1,j1] W_tilde[k,j1,j2]
alpha[k,t,t'] = softmax_{t'} L[t,J] W_tilde[k,J,J'] L[t',J']
alpha[k,i,j] = softmax_j L[i,A] W_tilde[k,A,B] L[j,B]
alpha[k,t1,t2] = softmax_{t2} L[t1,J1] (W_tilde[k,J1,J2] L[t2,J2])
alpha[k,t1,t2] = softmax_{t2} L[t1]^T W_tilde[k] L[t2]
alpha[k,t1,t2] = exp(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]) / sum_t exp(L[t1,J1] W_tilde[k,J1,J2] L[t,J2])
\alpha_{\ell+1}(k, t_1, t_2) = \text{softmax}_{t_2} \left[ L_\ell[t_1, J_1] \tilde{W}^Q[k, J_1, J_2] L_\ell[t_2, J_2] \right]
\alpha_{\ell+1}[k,t_1,t_2] = \text{softmax}_{t_2} \left[ L_\ell(t_1, J_1) \tilde{W}^Q[k, J_1, J_2] L_\ell(t_2, J_2) \right]
\alpha(k,t_1,t_2) = \operatorname{softmax}_{t_2}\left[\sum_{j_1, j_2} L_\ell(t_1, j_1) \tilde{W}^Q[k, j_1, j_2] L_\ell(t_2, j_2)\right]
\alpha[k,t_1,t_2] = \underset{t_2}{\text{softmax}}\; L[t_1,J_1]\,\tilde{W}^Q[k,J_1,J_2]\,L[t_2,J_2]
\alpha[k,t_1,t_2] = \frac{\exp\left(L[t_1,J_1]\tilde{W}^Q[k,J_1,J_2]L[t_2,J_2]\right)}{\sum_{t}\exp\left(L[t_1,J_1]\tilde{W}^Q[k,J_1,J_2]L[t,J_2]\right)}
\alpha[k,t_1,t_2] = \text{softmax}_{t_2}\left( L_{t_1}^\top \tilde{W}^Q_k L_{t_2} \right)
α[k,t₁,t₂] = softmax_{t₂} L[t₁,J₁] W̃^Q[k,J₁,J₂] L[t₂,J₂]
softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} L[t1,J1] * W_tilde[k,J1,J2] * L[t2,J2]
alpha[k,t1,t2] = softmax_{t2} L[t1,I] W_tilde[k,I,J] L[t2,J]
\alpha_{\ell+1}(k,t_1,t_2) = \text{softmax}_{t_2}\left[\sum_{j_1,j_2} L_\ell(t_1,j_1)\,\tilde{W}^Q[k,j_1,j_2]\,L_\ell(t_2,j_2)\right]
alpha_{l+1}[k,t1,t2] = softmax_{t2} L_l[t1,J1] W_tilde[k,J1,J2] L_l[t2,J2]
alpha[k,t1,t2] = softmax_{t2} [ sum_{j1=1}^{J} sum_{j2=1}^{J} L[t1,j1] W_tilde[k,j1,j2] L[t2,j2] ]
""",
    "different": r"""
alpha[k,t1,t2] = softmax_{t2} (L[t1,J1] W_tilde[k,J1,J2]) L[t2,J2]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t1,J2] ]
alpha[k,t1,t2] = softmax_{t1} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t2,J1] W_tilde[k,J1,J2] L[t1,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J2,J1] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J2] W_tilde[k,J1,J2] L[t2,J1] ]
alpha[k,t1,t2] = L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k,t1,t2] = softmax_{t2} [ (1/sqrt(I)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ (1/sqrt(J)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
\alpha[k,t_1,t_2] = \text{softmax}_{t_2} \frac{1}{\sqrt{I}} L[t_1,J_1]\tilde{W}^Q[k,J_1,J_2]L[t_2,J_2]
alpha[k,t1,t2] = softmax_{t2} (1/sqrt(I)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k,t1,t2] = softmax_{k} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t1,t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t2,J1] W_tilde[k,J1,J2] L[t2,J2] ] + 0 t1
alpha[k,t1,t2] = exp(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2])
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J] L[t2,J] ] + 0 k
alpha[k,t2,t1] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J] W_tilde[k,J,J] L[t2,J] ]
alpha[k,t1,t2] = sigmoid(L[t1,J1] W_tilde[k,J1,J2] L[t2,J2])
\alpha[k,t_1,t_2] = \text{softmax}_{t_2}\left( L_{t_2}^\top \tilde{W}^Q_k L_{t_1} \right)
alpha[k,t1,t2] = softmax_{t2} [ sum_{j} L[t1,j] W_tilde[k,j,j] L[t2,j] ]
alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]] / sqrt(I)
alpha[k,t1,t2] = softmax_{t2} [sum_{j1} L[t1,j1] W_tilde[k,j1,j1] L[t2,j1]]
""",
    "ill-typed": r"""
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[J1,J2] L[t2,J2] ]
alpha[t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,j1] W_tilde[k,j1,j2] L[t2,j2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[J1,t1] W_tilde[k,J1,J2] L[J2,t2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[J1,k,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t3} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t3,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_hat[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1] W_tilde[k] L[t2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J3] ]
alpha[k,t1] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[t1,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [sum_{j1} L[t1,j1] W_tilde[k,j1,j2] L[t2,j2]]
alpha[k,t1,t2] = alpha[k,t1,t2]
""",
    "unparseable": r"""
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]
alpha[k,t1,t2] = softmax_{t2 [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ]
alpha[k,t1,t2] = softmax_{t2} [ L[t1,J1] W_tilde[k,J1,J2] L[t2,J2] ) ]
alpha[k,t1,t2] = softmax_{t2}
""",
}

FINAL = {
    "equal": r"""
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 * (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (H_0 + sum_{i=1}^{T/2} (X_{2i} - X_{2i-1})))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} X_{2i} - sum_{i=1}^{T/2} X_{2i-1} + H_0))
Y_T = sigmoid(1000 sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + 1000 H_0)
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^t X_t + H_0))
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^{T-t} X_t + (-1)^T H_0))
Y_T = sigmoid(1000 (sum_{t=1}^T (-1)^{t} X_t + H_0))
Y_T = sigmoid(1000 (sum_{i=0}^{T/2-1} (X_{2i+2} - X_{2i+1}) + H_0))
Y_T = sigmoid(1000 (H_0 - sum_{i=1}^{T/2} (X_{2i-1} - X_{2i})))
Y_T = sigmoid(1000 (sum_{i} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (X_T - X_{T-1} + X_{T-2} - ... - X_1 + H_0))
Y_T = sigmoid(1000(X_T - X_{T-1} + X_{T-2} - X_{T-3} ... - X_1 + H_0))
Y_T = sigmoid(1000(X_2 - X_1 + X_4 - X_3 + ... + X_T - X_{T-1} + H_0))
Y_T = sigmoid(1000((X_2 - X_1) + (X_4 - X_3) + ... + (X_T - X_{T-1}) + H_0))
Y_T = sigmoid(1000(X_2 + X_4 + ... + X_T - (X_1 + X_3 + ... + X_{T-1}) + H_0))
Y_T = sigmoid(1000(X_T - (X_{T-1} - (X_{T-2} - ... - (X_1 - H_0)))))
Y_T = sigmoid(1000 (sum_{t even} X_t - sum_{t odd} X_t + H_0))
Y_T = sigmoid(1000 (sum_{t=2,4,...,T} X_t - sum_{t=1,3,...,T-1} X_t + H_0))
Y_T = σ(1000 (Σ_{i=1}^{T/2} (X_{2i} − X_{2i−1}) + H_0))
Y_T = 1/(1 + exp(-1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)))
Y_T = \frac{1}{1+e^{-1000\left(\sum_{i=1}^{T/2}(X_{2i}-X_{2i-1})+H_0\right)}}
Y_T = sigmoid\left(1000 \cdot \left(\sum_{i=1}^{\frac{T}{2}} (X_{2i} - X_{2i-1}) + H_0\right)\right)
Y_T = sigmoid(1000(\sum_{i=1}^{\frac{T}{2}} X_{2i} - \sum_{i=1}^{\frac{T}{2}} X_{2i-1} + H_0))
Y_T = \sigma\left(1000\left(\sum_{t=1}^{T}(-1)^t X_t + H_0\right)\right)
Y_T = \text{sigmoid}\left(1000\left(H_0 + \sum_{k=1}^{T/2}(X_{2k}-X_{2k-1})\right)\right)
Y_T = \operatorname{sigmoid}\left(1000\left[\sum_{i=1}^{T/2}\left(X_{2i}-X_{2i-1}\right)+H_{0}\right]\right)
Y_T = sigmoid(1000 sum_{t=1}^T (-1)^t X_t + 1000 H_0)
Y_T = sigmoid(1000 (H_0 - X_1 + X_2 - X_3 + ... + X_T))
Y_T = sigmoid(10^3 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X[2i] - X[2i-1]) + H_0))
H_T = sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0 // Y_T = sigmoid(1000 H_T)
Y_T = sigmoid(1000 H_T) // H_T = sum_{t=1}^T (-1)^t X_t + H_0
sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 H_0 + 1000 \sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}))
Y_T = logistic(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000*(sum_{k=1}^{T/2} (X_{2k} - X_{2k-1}) + H_0))
Y_T = sigmoid(1000 * (H_0 + sum_{t=1}^{T} (-1)^t * X_t))
Y_T = \frac{1}{1 + \exp(-1000(\sum_{t=1}^T (-1)^t X_t + H_0))}
Y_T = sigmoid(1000 (\sum_{j=0}^{T/2-1} (X_{T-2j} - X_{T-2j-1}) + H_0))
Y_T = \sigma(1000 \cdot (X_T - X_{T-1} + X_{T-2} - \cdots + X_2 - X_1 + H_0))
Y_T = sigmoid(1000 (X_T - X_{T-1} + ... + X_2 - X_1 + H_0))
Y_T = sigmoid(1000 ( sum_{i=1}^{T/2} X_{2i} - sum_{j=1}^{T/2} X_{2j-1} + H_0 ))
Y_T = sigmoid(1000 sum_{i=1}^{T/2} X_{2i} - 1000 sum_{i=1}^{T/2} X_{2i-1} + 1000 H_0)
Y_T = sigmoid(1000(H_0 - sum_{t=1}^{T} (-1)^{t+1} X_t))
Y_T = sigmoid(1000 (sum_{t=0}^{T-1} (-1)^t X_{T-t} + H_0))
Y_T = sigmoid(1e3 (sum_{t=1}^{T} (-1)^t X_t + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2 i} - X_{2 i - 1}) + (-1)^T H_0))
Y_T = sigmoid(1000 (sum_{1 <= i <= T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = 1 / (1 + e^{-1000 (sum_{t=1}^T (-1)^t X_t + H_0)})
Y_T = 1 - sigmoid(-1000 (sum_{t=1}^T (-1)^t X_t + H_0))
Y_T = (1 + tanh(500 (sum_{t=1}^T (-1)^t X_t + H_0))) / 2
Y_T = sigmoid(1000 \left(\sum_{i=1}^{T/2} X_{2i} - \sum_{i=1}^{T/2} X_{2i-1} + H_0\right))
Y_T=\mathrm{sigmoid}\bigl(1000(\sum_{i=1}^{T/2}(X_{2i}-X_{2i-1})+H_0)\bigr)
Y_T = sigmoid(1000 H_0 + 1000 sum_{t=1}^T (-1)^t X_t)
Y_T = sigmoid(1000*(sum_{i=1}^{T/2} X_{2*i} - sum_{i=1}^{T/2} X_{2*i-1} + H_0))
Y_T = exp(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)) / (1 + exp(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)))
""",
    "different": r"""
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i-1} - X_{2i}) + H_0))
Y_T = sigmoid(1000 sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)
Y_T = sigmoid(sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)
Y_T = sigmoid((sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) - H_0))
Y_T = sigmoid(1000 sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}))
Y_T = sigmoid(1000 (sum_{t=1}^{T} X_t + H_0))
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^{t+1} X_t + H_0))
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^{t-1} X_t + H_0))
Y_T = 1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)
Y_T = sigmoid(100 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (X_T - X_{T-1} + H_0))
Y_T = sigmoid(1000 (X_T - H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} + X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} X_{2i} + H_0))
Y_T = sigmoid(1000 (sum_{i=2}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2-1} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{t=1}^{T-1} (-1)^t X_t + H_0))
Y_T = tanh(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(-1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + T H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_i - X_{i+1}) + H_0))
Y_T = sigmoid(1000 (X_T - X_{T-1} + X_{T-2} - ... - X_1 - H_0))
Y_T = sigmoid(1000 (X_1 - X_2 + X_3 - ... - X_T + H_0))
Y_T = \sigma\left(1000\left(\sum_{t=1}^{T}(-1)^{t+1}X_t + H_0\right)\right)
Y_T = sigmoid(1000 \sum_{t=1}^T (-1)^t (X_t + H_0))
Y_T = sigmoid(1000 (2/T) (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{t=1}^{T} (-1)^t X_t - H_0))
Y_T = sigmoid(1000 (X_T - X_{T-1} + ... + X_2 - X_1))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1})) + H_0)
Y_T = sigmoid(1000 (-sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} X_{2i-1} - sum_{i=1}^{T/2} X_{2i} + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + 2 H_0))
Y_T = sigmoid(1000) (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)
Y_T = sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0
Y_T = sigmoid(1000 (X_2 - X_1 + H_0))
Y_T = 1 / (1 + exp(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)))
""",
    "ill-typed": r"""
Y_T = sigmoid(1000 (X_{2i} - X_{2i-1} + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2j} - X_{2j-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H))
Y_T = sigmoid(1000 (X_T - H_{T-1}))
Y_T = sigmoid(1000 H_T)
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (Z_{2i} - Z_{2i-1}) + H_0))
Y_T = sigmoid(1000 ((-1)^t X_t + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{t=0}^{T} (-1)^t X_t + H_0))
Y_T = sigmoid(1000 (sum_{i=0}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i+1} - X_{2i}) + H_0))
Y_t = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_1))
Y_T = sigmoid(1000 (sum_i (X_{2i} - X_{2i-1}) + H_i))
Y_T = Y_T + 0
Y_T
Y_T = sigmoid(1000 (sum_{t=1}^{n-1} (-1)^t X_t + H_0))
""",
    "unparseable": r"""
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)
Y_T = sigmoid(1000(X_T - (X_{T-1} - (X_{T-2} ... - (X_1 - H_0))))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2 (X_{2i} - X_{2i-1}) + H_0))
Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + ))
Y_T = sigmoid(1000 * * H_0)
Y_T = sigmoid\left(1000 \left(\sum_{i=1}^{\frac{T}{2} (X_{2i} - X_{2i-1}) + H_0\right)\right)
Y_T = 
1 if the even positions win
""",
}

LINEAR = {
    "equal": r"""
y_i = ( sum_j <q_i,k_j> v_j ) / ( sum_j <q_i,k_j> )
y_i = sum_j <q_i,k_j> v_j / sum_j <q_i,k_j>
y_i = sum_j <q_i,k_j> v_j / sum_l <q_i,k_l>
y_i = sum_j (<q_i,k_j> / sum_l <q_i,k_l>) v_j
y_i = sum_j ( <q_i,k_j> / (sum_{j'} <q_i,k_{j'}>) ) v_j
y_i = (1 / sum_j <q_i,k_j>) sum_j <q_i,k_j> v_j
y_i = 1/(sum_j <q_i,k_j>) * sum_j <q_i,k_j> v_j
y_i = 1 / sum_j <q_i,k_j> * sum_j <q_i,k_j> v_j
y_i = (sum_j (q_i · k_j) v_j) / (sum_j q_i · k_j)
y_i = (sum_j q_i^T k_j v_j) / (sum_j q_i^T k_j)
y_i = (sum_j v_j k_j^T q_i) / (sum_j k_j^T q_i)
y_i = (sum_j v_j k_j^T) q_i / ((sum_j k_j)^T q_i)
y_i = (sum_j v_j k_j^T) q_i / <q_i, sum_j k_j>
y_i = q_i^T (sum_j k_j v_j^T) / (q_i^T sum_j k_j)
y_i = sum_j <k_j,q_i> v_j / sum_j <k_j,q_i>
y_i = (sum_{j=1}^T <q_i,k_j> v_j) / (sum_{j=1}^T <q_i,k_j>)
y_i = (sum_{j=1}^n <q_i,k_j> v_j) / (sum_{j=1}^n <q_i,k_j>)
y_t = (sum_s <q_t,k_s> v_s) / (sum_s <q_t,k_s>)
y[i] = (sum_j <q[i],k[j]> v[j]) / (sum_j <q[i],k[j]>)
y[i,C] = (sum_j q[i,D] k[j,D] v[j,C]) / (sum_j q[i,D] k[j,D])
y[i,c] = (sum_{j,a} q[i,a] k[j,a] v[j,c]) / (sum_{j,a} q[i,a] k[j,a])
y_i = \frac{\sum_j \langle q_i, k_j \rangle v_j}{\sum_j \langle q_i, k_j \rangle}
y_i = \frac{\sum_{j=1}^{T} \langle q_i, k_j\rangle\, v_j}{\sum_{j=1}^{T} \langle q_i, k_j\rangle}
y_i = \sum_{j} \frac{\langle q_i,k_j\rangle}{\sum_{l}\langle q_i,k_l\rangle} v_j
y_i = \sum_{j=1}^{T} \frac{q_i^\top k_j}{\sum_{l=1}^{T} q_i^\top k_l}\, v_j
y_i = \frac{\sum_j (q_i \cdot k_j) v_j}{\sum_j q_i \cdot k_j}
y_i = \frac{q_i^\top \sum_j k_j v_j^\top}{q_i^\top \sum_j k_j}
\mathbf{y}_i = \frac{\sum_j (\mathbf{q}_i^\top \mathbf{k}_j)\, \mathbf{v}_j}{\sum_j \mathbf{q}_i^\top \mathbf{k}_j}
y_i = \frac{\left(\sum_j v_j k_j^\top\right) q_i}{\left(\sum_j k_j\right)^\top q_i}
y_i = (Σ_j ⟨q_i,k_j⟩ v_j) / (Σ_j ⟨q_i,k_j⟩)
yᵢ = Σⱼ ⟨qᵢ,kⱼ⟩ vⱼ / Σⱼ ⟨qᵢ,kⱼ⟩
S = sum_j k_j v_j^T // z = sum_j k_j // y_i = S^T q_i / (q_i^T z)
Z_i = sum_j <q_i,k_j> // y_i = (1/Z_i) sum_j <q_i,k_j> v_j
a_{ij} = <q_i,k_j> / sum_l <q_i,k_l> // y_i = sum_j a_{ij} v_j
alpha_{i,j} = <q_i,k_j> / sum_l <q_i,k_l> // y_i = sum_j alpha_{i,j} v_j
\alpha_{ij} = \frac{\langle q_i,k_j\rangle}{\sum_{l}\langle q_i,k_l\rangle} \\ y_i = \sum_j \alpha_{ij} v_j
w[i,j] = <q_i,k_j> / sum_l <q_i,k_l> // y_i = sum_j w[i,j] v_j
y_i = (sum_j (q_i,k_j) v_j) / (sum_j (q_i,k_j))
y_i = \frac{\sum_{j} (q_i^\top k_j) v_j}{\sum_{j} (q_i^\top k_j)}
y_i = sum_j (q_i . k_j) v_j / sum_j (q_i . k_j)
y_i = sum_j dot(q_i,k_j) v_j / sum_j dot(q_i,k_j)
y_i = \sum_{j=1}^T \frac{\langle q_i,k_j\rangle}{\sum_{j'=1}^T \langle q_i,k_{j'}\rangle} v_j
y_i = \frac{1}{\sum_{j} \langle q_i, k_j \rangle} \sum_{j} \langle q_i, k_j \rangle v_j
y_i = \left( \sum_j \langle q_i, k_j \rangle \right)^{-1} \sum_j \langle q_i, k_j \rangle v_j
y_i = sum_j <q_i, k_j> * v_j / (sum_m <q_i, k_m>)
y_i = sum_j v_j <q_i,k_j> / sum_j <q_i,k_j>
y_i = (sum_j v_j (k_j · q_i)) / (sum_j k_j · q_i)
y_i = sum_j \left\langle q_i, k_j \right\rangle v_j \Big/ \sum_j \left\langle q_i, k_j \right\rangle
y_i = (q_i^T (sum_j k_j v_j^T)) / (q_i^T (sum_j k_j))
y_i^T = (q_i^T (sum_j k_j v_j^T)) / (q_i^T (sum_j k_j))
y_i = (\sum_j \langle q_i,k_j\rangle v_j)/(\sum_j \langle q_i,k_j\rangle)
y_i = <q_i, sum_j k_j>^{-1} (sum_j v_j k_j^T) q_i
y_j = sum_i <q_j,k_i> v_i / sum_i <q_j,k_i>
y_i = \sum_{j} \frac{ q_i \cdot k_j }{ \sum_{m} q_i \cdot k_m } v_j
y_i = \frac{\sum_{j=1}^{T}\left(q_i^{\top}k_j\right)v_j}{\sum_{j=1}^{T}q_i^{\top}k_j}
y[i] = sum_j <q[i],k[j]> v[j] / sum_j <q[i],k[j]>
y_i = (sum_j <q_i, k_j> v_j)/(sum_j <q_i, k_j>)
y_i = sum_j [<q_i,k_j> / sum_l <q_i,k_l>] v_j
y_i = (sum_{j=0}^{n-1} <q_i,k_j> v_j) / (sum_{j=1}^{n} <q_i,k_j>)
""",
    "different": r"""
y_i = sum_j <q_i,k_j> v_j
y_i = sum_j softmax_j(<q_i,k_j>) v_j
y_i = sum_j <q_i,k_j> v_i / sum_j <q_i,k_j>
y_i = (sum_j <q_i,k_j> v_j) / T
y_i = (1/T) sum_j <q_i,k_j> v_j
y_i = (sum_j exp(<q_i,k_j>) v_j) / (sum_j exp(<q_i,k_j>))
y_i = (sum_j <q_j,k_i> v_j) / (sum_j <q_j,k_i>)
y_i = (sum_j <q_i,k_j> v_j) / (sum_j <q_j,k_i>)
y_i = sum_j (<q_i,k_j> / (sum_l <q_l,k_j>)) v_j
y_i = (sum_j <q_i,k_i> v_j) / (sum_j <q_i,k_i>)
y_i = (sum_j <q_i,q_j> v_j) / (sum_j <q_i,q_j>)
y_i = (sum_j <k_i,k_j> v_j) / (sum_j <k_i,k_j>)
y_i = <q_i,k_i> v_i
y_i = v_i
y_i = (sum_j <q_i,k_j> v_j) / sqrt(sum_j <q_i,k_j>)
y_i = (sum_j <q_i,k_j> v_j) / (sum_j <q_i,k_j>^2)
y_i = (1/sqrt(d)) sum_j <q_i,k_j> v_j
y_i = (sum_j <q_i,k_j>^2 v_j) / (sum_j <q_i,k_j>^2)
y_i = (sum_{j=1}^{i} <q_i,k_j> v_j) / (sum_{j=1}^{i} <q_i,k_j>)
y_i = (sum_{j<=i} <q_i,k_j> v_j) / (sum_{j<=i} <q_i,k_j>)
y_i = (sum_{j != i} <q_i,k_j> v_j) / (sum_{j != i} <q_i,k_j>)
y_i = (sum_j <q_i,k_j> v_j) / (1 + sum_j <q_i,k_j>)
y_i = (sum_j <q_i,k_j> v_j) / (sum_{i,j} <q_i,k_j>)
y_i = \sum_{j=1}^T \langle q_i, k_j \rangle v_j
y_i = \sum_j \text{softmax}_j(\langle q_i,k_j\rangle) v_j
y_i = \frac{\sum_j e^{\langle q_i,k_j\rangle} v_j}{\sum_j e^{\langle q_i,k_j\rangle}}
y_i = sum_j (1 + <q_i,k_j>) v_j / sum_j (1 + <q_i,k_j>)
y_i = (sum_j <q_i,k_j>) (sum_j v_j) / (sum_j <q_i,k_j>)
y_i = sum_j (<q_i,k_j> / sqrt(d)) v_j
y_i = sum_j softmax(<q_i,k_j>) v_j
y_i = \sum_{i=1}^{T} softmax(\langle q_i, k_i \rangle) v_i
y_i = sum_j <q_i,k_j> v_j / sum_i <q_i,k_j>
y_i = sum_j <q_i,k_j> v_j / (d sum_j <q_i,k_j>)
y_j = sum_i <q_i,k_j> v_i / sum_i <q_i,k_j>
y_i = sum_j <q_i,k_j> v_j / ||q_i||
y_i = sum_{j=1}^{T-1} <q_i,k_j> v_j / sum_{j=1}^{T-1} <q_i,k_j>
""",
    "ill-typed": r"""
y_i = <q_i,k_j> v_j / sum_j <q_i,k_j>
y_i = <q_i,k_j> v_j
y_i = sum_j <q_i,v_j> k_j / sum_j <q_i,v_j>
y_i = sum_j <q_i,k_j> / sum_j <q_i,k_j>
y_i = (sum_j <q_i,k_j> x_j) / (sum_j <q_i,k_j>)
y_i = sum_m <q_i,k_j> v_j
y_i = (sum_j <q_i,k_j> k_j) / (sum_j <q_i,k_j>)
y_i = (sum_j <q_i,k_j> v_j) / v_j
y_i = sum_j q_i k_j v_j / sum_j q_i k_j
y_i = (sum_j k_j v_j^T) q_i / (sum_j k_j^T q_i)
y_i = sum_j (q_i, k_j, v_j)
y = (sum_j <q_i,k_j> v_j) / (sum_j <q_i,k_j>)
y_j = (sum_j <q_i,k_j> v_j) / (sum_j <q_i,k_j>)
y_i = sum_j <q_i,k_j> v_j / sum_j k_j
y_i = sum_j <q_i,k_j v_j> / sum_j <q_i,k_j>
y_i = sum_j <q_i,k_j> v_j / sum_j <q_l,k_j>
y_i = y_i
y_i = (sum_j <q_i,k_j> v_j) / (sum_j <q_i,k_j>) + 0 y_i
y_i = (sum_{j=1}^{n-1} <q_i,k_j> v_j) / (sum_{j=1}^{n-1} <q_i,k_j>)
""",
    "unparseable": r"""
y_i = ( sum_j <q_i,k_j> v_j / ( sum_j <q_i,k_j> )
y_i = sum_j <q_i,k_j v_j / sum_j <q_i,k_j>
y_i = \frac{\sum_j \langle q_i,k_j\rangle v_j}{\sum_j \langle q_i,k_j\rangle
y_i = sum_j <q_i,k_j> v_j / 
y_i = sum <q_i,k_j> v_j
y_i = sum_j <q_i, k_j, v_j>
y_i = (sum_j <q_i,k_j> v_j)) / (sum_j <q_i,k_j>)
""",
}

HEAD = {
    "equal": r"""
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} (H_{l-1} SoftMax((K_{l,h} H_{l-1})^T (Q_{l,h} H_{l-1})))
H_{l,h} = (V_{l,h} H_{l-1}) SoftMax(H_{l-1}^T K_{l,h}^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} softmax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} softmax_col((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} softmax_{column}((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V H SoftMax((K H)^T Q H)
H_{l,h} = V H SoftMax((KH)^TQH)
H_{l,h} = VH SoftMax(H^T K^T Q H)
H_{l,h} = V H softmax((K H)ᵀ Q H)
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})' Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(((Q_{l,h} H_{l-1})^T K_{l,h} H_{l-1})^T)
H_{l,h} = V_{l,h} @ H_{l-1} @ softmax((K_{l,h} @ H_{l-1}).T @ Q_{l,h} @ H_{l-1})
H_{l,h} = V_{l,h} * H_{l-1} * SoftMax((K_{l,h} * H_{l-1})^T * Q_{l,h} * H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} \cdot \text{SoftMax}((K_{l,h} H_{l-1})^\top Q_{l,h} H_{l-1})
\mathbf{H}_{\ell,h} = \mathbf{V}_{\ell,h} \mathbf{H}_{\ell-1} \text{SoftMax} \left( (\mathbf{K}_{\ell,h} \mathbf{H}_{\ell-1})^\top \mathbf{Q}_{\ell,h} \mathbf{H}_{\ell-1} \right)
\mathbf{H}_{\ell,h} = \overbrace{\mathbf{V}_{\ell,h} \mathbf{H}_{\ell-1}}^{\text{value for each target}} \text{SoftMax} \left(\underbrace{(\mathbf{K}_{\ell,h} \mathbf{H}_{\ell-1})^\top \mathbf{Q}_{\ell,h} \mathbf{H}_{\ell-1}}_{\text{attention matrix}} \right)
\mathbf{H}_{\ell,h} = \mathbf{V}_{\ell,h}\,\mathbf{H}_{\ell-1}\,\operatorname{SoftMax}\left(\mathbf{H}_{\ell-1}^\top \mathbf{K}_{\ell,h}^\top \mathbf{Q}_{\ell,h} \mathbf{H}_{\ell-1}\right)
H_{\ell,h} = V_{\ell,h} H_{\ell-1} \mathrm{softmax}\left( \left(K_{\ell,h} H_{\ell-1}\right)^{\top} Q_{\ell,h} H_{\ell-1} \right)
\boldsymbol{H}_{\ell,h} = \boldsymbol{V}_{\ell,h} \boldsymbol{H}_{\ell-1} \text{SoftMax}((\boldsymbol{K}_{\ell,h} \boldsymbol{H}_{\ell-1})^{T} \boldsymbol{Q}_{\ell,h} \boldsymbol{H}_{\ell-1})
H_{l,h} = V_{l,h} H_{l-1} exp((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}) / (1^T exp((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}))
H_{l,h} = V_{l,h} H_{l-1} \frac{\exp((K_{l,h} H_{l-1})^\top Q_{l,h} H_{l-1})}{\mathbf{1}^\top \exp((K_{l,h} H_{l-1})^\top Q_{l,h} H_{l-1})}
A = (K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1} // H_{l,h} = V_{l,h} H_{l-1} SoftMax(A)
M = SoftMax((K H)^T (Q H)) // H_{l,h} = V H M
V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax( (K_{l,h} H_{l-1})^{\top} (Q_{l,h} H_{l-1}) )
H_{l,h} = (V_{l,h} H_{l-1}) softmax( (K_{l,h} H_{l-1})^T (Q_{l,h} H_{l-1}) )
H_{l,h} = V_{l,h} H_{l-1} SoftMax[ (K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1} ]
H_{lh} = V_{lh} H_{l-1} SoftMax((K_{lh} H_{l-1})^T Q_{lh} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(transpose(K_{l,h} H_{l-1}) Q_{l,h} H_{l-1})
\mathbf{H}_{\ell,h} = \mathbf{V}_{\ell,h}\mathbf{H}_{\ell-1}\,\text{SoftMax}\big(\mathbf{H}_{\ell-1}^{\top}\mathbf{K}_{\ell,h}^{\top}\mathbf{Q}_{\ell,h}\mathbf{H}_{\ell-1}\big)
H_{l,h} = V_{l,h} H_{l-1} softmax_{col}( H_{l-1}^T (K_{l,h}^T Q_{l,h}) H_{l-1} )
H_{l,h}=V_{l,h}H_{l-1}SoftMax((K_{l,h}H_{l-1})^TQ_{l,h}H_{l-1})
\mathbf H_{\ell,h} = \mathbf V_{\ell,h} \mathbf H_{\ell-1} \operatorname{softmax}((\mathbf K_{\ell,h} \mathbf H_{\ell-1})^\top \mathbf Q_{\ell,h} \mathbf H_{\ell-1})
H_{l,h} = V_{l,h} H_{l-1} · SoftMax((K_{l,h} H_{l-1})^T · Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax( H_{l-1}^T K_{l,h}^T Q_{l,h} H_{l-1} )
H_{l,h} = V_{l,h}H_{l-1}\,\mathrm{SoftMax}\!\left((K_{l,h}H_{l-1})^{\mathsf T}Q_{l,h}H_{l-1}\right)
H_{l,h} = (V_{l,h} H_{l-1}) * softmax((K_{l,h} H_{l-1})^T (Q_{l,h} H_{l-1}), dim=0)
""",
    "different": r"""
H_{l,h} = V_{l,h} H_{l-1} SoftMax((Q_{l,h} H_{l-1})^T K_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})^T
H_{l,h} = V_{l,h} H_{l-1} (K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}
H_{l,h} = V_{l,h} H_{l-1} softmax_{row}((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1} / sqrt(D))
H_{l,h} = V_{l,h} H_{l-1} SoftMax((1/sqrt(D)) (K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} \text{SoftMax}\left(\frac{(K_{l,h} H_{l-1})^\top Q_{l,h} H_{l-1}}{\sqrt{D}}\right)
H_{l,h} = H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = Q_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T V_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T K_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(H_{l-1}^T H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(H_{l-1}^T K_{l,h} Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(H_{l-1}^T Q_{l,h}^T K_{l,h} H_{l-1})
H_{l,h} = V_{l,h}^T H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1}
H_{l,h} = V_{l,h} H_{l-1} + H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = H_{l-1} + V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_l SoftMax((K_{l,h} H_l)^T Q_{l,h} H_l)
H_{l,h} = SoftMax(V_{l,h} H_{l-1} (K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} sigmoid((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T) Q_{l,h} H_{l-1}
H_{l,h} = K_{l,h} H_{l-1} SoftMax((V_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} SoftMax(H_{l-1}) SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax_{rows}((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(H_{l-1}^T Q_{l,h} K_{l,h}^T H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}) + H_{l-1}
""",
    "ill-typed": r"""
H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h} H_{l-1} (Q_{l,h} H_{l-1})^T)
H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h} H_{l-1} Q_{l,h} H_{l-1})
H_{l,h} = SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}) V_{l,h} H_{l-1}
H_{l,h} = SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}) (V_{l,h} H_{l-1})^T
H_{l,h} = (V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}))^T
H_{l,h} = SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = H_{l-1} V_{l,h} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h}^T Q_{l,h})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((H_{l-1} K_{l,h})^T H_{l-1} Q_{l,h})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1}) (Q_{l,h} H_{l-1}))
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T W_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} + SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} X SoftMax((K_{l,h} X)^T Q_{l,h} X)
H_{l,h} = V_{l,h} H_{l-1}^T SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}) H_{l-1}
H_{l,h} = V_{l,h} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1}) Q_{l,h} H_{l-1}^T)
H_{l,h} = H_{l,h}
""",
    "unparseable": r"""
H_{l,h} = V H SoftMax((K H)^T Q H
H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1}^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
H_{l,h} = V_{l,h} H_{l-1} SoftMax()
H_{l,h} = V_{l,h H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})
\mathbf{H}_{\ell,h} = \mathbf{V}_{\ell,h} \mathbf{H}_{\ell-1} \text{SoftMax} \left( (\mathbf{K}_{\ell,h} \mathbf{H}_{\ell-1})^\top
H_{l,h} = V_{l,h} ^ ^ H
""",
}

STACKED = {
    "equal": r"""
H_l = FF( sum_h delta_h (x) H_{l,h} )
H_l = FF(sum_h delta_h ⊗ H_{l,h})
H_l = FF(sum_{h=1}^{n} delta_h (x) H_{l,h})
H_l = FF([H_{l,1}; H_{l,2}; ...; H_{l,n}])
H_l = FF([H_{l,1}; ...; H_{l,n}])
H_l = FF(H_{l,1}; ...; H_{l,n})
H_l = FF(concat(H_{l,1}, ..., H_{l,n}))
H_l = FF(concat_h H_{l,h})
H_l = FF(concat_h(H_{l,h}))
H_l = FF(Concat_{h=1}^{n} H_{l,h})
H_l = FF(sum_k delta_k ⊗ H_{l,k})
H_l = FF(sum_h kron(delta_h, H_{l,h}))
H_l = sigmoid(W_ff (sum_h delta_h ⊗ H_{l,h}) + b_ff)
H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}] + b_ff)
H_l = σ(W_ff [H_{l,1}; H_{l,2}; ...; H_{l,n}] + b_ff)
H_l = sigmoid(b_ff + W_ff concat_h(H_{l,h}))
\mathbf{H}_\ell = \text{FF} \left( \sum_h \delta_h \otimes \mathbf{H}_{\ell,h} \right)
\mathbf{H}_\ell = \text{FF} \left(\underbrace{\sum_h \delta_h \otimes \mathbf{H}_{\ell,h}}_{\text{concatenate}} \right)
\mathbf{H}_{\ell} = \operatorname{FF}\left(\begin{bmatrix} \mathbf{H}_{\ell,1} \\ \vdots \\ \mathbf{H}_{\ell,n} \end{bmatrix}\right)
H_\ell = \text{FF}([H_{\ell,1}; H_{\ell,2}; \dots; H_{\ell,n}])
H_\ell = \text{FF}\left(\left[H_{\ell,1}; \ldots; H_{\ell,n}\right]\right)
H_ℓ = FF(Σ_h δ_h ⊗ H_{ℓ,h})
C = [H_{l,1}; ...; H_{l,n}] // H_l = FF(C)
C = sum_h delta_h (x) H_{l,h} // H_l = sigmoid(W_ff C + b_ff)
FF(sum_h delta_h (x) H_{l,h})
H_l = FF(H_{l,1} || H_{l,2} || ... || H_{l,n})
H_l = FF(\sum_{h=1}^{n} \delta_h \otimes H_{l,h})
H_l = FF( [H_{l,1} ; H_{l,2} ; … ; H_{l,n}] )
H_l = FF(concat(H_{l,1}; ...; H_{l,n}))
H_l = FF(concat(H_{l,1}, H_{l,2}, ..., H_{l,n}))
H_l = FF(vstack(H_{l,1}, ..., H_{l,n}))
H_l = FF(stack_h H_{l,h})
\mathbf{H}_\ell = \mathrm{FF}\left(\begin{pmatrix}\mathbf{H}_{\ell,1}\\ \mathbf{H}_{\ell,2}\\ \vdots\\ \mathbf{H}_{\ell,n}\end{pmatrix}\right)
H_l = FF[sum_h (delta_h (x) H_{l,h})]
H_l = sigmoid(W_ff (sum_h delta_h (x) H_{l,h}) + b_ff 1^T)
H_l = FF(delta_1 (x) H_{l,1} + delta_2 (x) H_{l,2} + ... + delta_n (x) H_{l,n})
H_l = FF(delta_1 ⊗ H_{l,1} + ... + delta_n ⊗ H_{l,n})
H_l = 1/(1+exp(-(W_ff C + b_ff))) // C = [H_{l,1}; ...; H_{l,n}]
H_l = FF( \sum_h \delta_h \otimes H_{l,h} )
H_l = FF(\operatorname{concat}(H_{l,1}, \dots, H_{l,n}))
H_l = \text{sigmoid}(W_{ff} [H_{l,1}; \dots; H_{l,n}] + b_{ff})
""",
    "different": r"""
H_l = FF(sum_h H_{l,h} (x) delta_h)
H_l = FF(sum_h H_{l,h} ⊗ delta_h)
H_l = FF([H_{l,n}; ...; H_{l,1}])
H_l = FF(2 (sum_h delta_h (x) H_{l,h}))
H_l = FF(sum_h delta_h (x) H_{l,h}) + H_{l,1}
H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}])
H_l = W_ff [H_{l,1}; ...; H_{l,n}] + b_ff
H_l = tanh(W_ff [H_{l,1}; ...; H_{l,n}] + b_ff)
H_l = sum_h H_{l,h}
H_l = H_{l,1}
H_l = FF(sum_h delta_h (x) H_{l,1})
H_l = (1/n) sum_h H_{l,h}
H_l = sigmoid(sum_h H_{l,h})
H_l = FF(H_{l,n}; ...; H_{l,1})
H_l = FF(sum_h delta_h (x) H_{l,h}) + b_ff
""",
    "ill-typed": r"""
H_l = FF(sum_h H_{l,h})
H_l = FF(H_{l,h})
H_l = sum_h FF(H_{l,h})
H_l = sum_h delta_h (x) H_{l,h}
H_l = FF(delta_h (x) H_{l,h})
H_l = [H_{l,1}; ...; H_{l,n}]
H_l = FF([H_{l,1}, ..., H_{l,n}])
H_l = FF(sum_h delta_h H_{l,h})
H_l = FF(sum_h delta_h (x) G_{l,h})
H_l = FF(H_{l,1})
H_l = FF((1/n) sum_h H_{l,h})
H_l = W_ff (sum_h H_{l,h}) + b_ff
H_l = MLP(sum_h delta_h (x) H_{l,h})
H_l = FF(H_{l,1} + ... + H_{l,n})
H_l = FF(prod_h H_{l,h})
H_l = FF([H_{l,1}^T; ...; H_{l,n}^T])
H_l = FF(sum_h delta_h (x) H_{l-1,h})
H_l = H_l
""",
    "unparseable": r"""
H_l = FF( sum_h delta_h (x) H_{l,h}
H_l = FF([H_{l,1}; ...; H_{l,n})
H_l = FF([H_{l,1}; ...; H_{l,n}]
H_l = FF(sum_h delta_h (x) )
\mathbf{H}_\ell = \text{FF} \left( \sum_h \delta_h \otimes \mathbf{H}_{\ell,h}
H_l = 
""",
}

LABELLED = {
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


def rows() -> list[tuple[str, str, str]]:
    """Part, verdict and answer of every labelled answer."""
    return [
        (part, verdict, line.replace(" // ", "\n"))
        for table in (LABELLED, STYLED, SAID)
        for part, verdicts in table.items()
        for verdict, lines in verdicts.items()
        for line in lines.strip("\n").split("\n")
    ]
