"""Every equation part of the course as data: the declaration, the key and the slips that must be named."""

from __future__ import annotations

from autograder.course.model import Equation, Key, Mistake, Tensor, key, slip

Part = tuple[str, Equation, Key, list[Mistake]]

SPATIAL = Equation(
    "spatial_equations",
    points=6,
    ask="Rewrite the six equations of self-attention for a picture: `x, y` in place of the time `t`.",
    tensors=[
        Tensor("h_in", ["X", "Y", "J"], [r"h_{\text{in}}"]),
        Tensor("WQ", ["K", "U", "J"], ["W^Q"]),
        Tensor("WK", ["K", "U", "J"], ["W^K"]),
        Tensor("WV", ["K", "I", "J"], ["W^V"]),
        Tensor("Query", ["K", "X", "Y", "U"], [r"\text{Query}", "Q"]),
        Tensor("Key", ["K", "X", "Y", "U"], [r"\text{Key}"]),
        Tensor("alpha", ["K", "X", "Y", "X", "Y"], [r"\alpha"]),
        Tensor("Value", ["K", "X", "Y", "I"], [r"\text{Value}", "V"]),
        Tensor("Out", ["K", "X", "Y", "I"], [r"\text{Out}"]),
        Tensor("h_out", ["X", "Y", "J"], [r"h_{\text{out}}"]),
    ],
    sizes={"J": "K*I"},
)
SPATIAL_KEY = key(
    """Query[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]
Key[k,x,y,U] = WK[k,U,J] h_in[x,y,J]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
Value[k,x,y,I] = WV[k,I,J] h_in[x,y,J]
Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
h_out[x,y,J] = Out[1,x,y,I]; ...; Out[K,x,y,I]"""
)
SPATIAL_SLIPS = [
    slip(
        "spatial_equations", "softmax_over_one_axis",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2} Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "the softmax runs over x2 alone: the weights of one position must add up to 1 over the picture, "
        "x2 and y2 together",
    ),
    slip(
        "spatial_equations", "softmax_over_the_other_axis",
        "alpha[k,x1,y1,x2,y2] = softmax_{y2} Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "the softmax runs over y2 alone: the weights of one position must add up to 1 over the picture, "
        "x2 and y2 together",
    ),
    slip(
        "spatial_equations", "softmax_over_queries",
        "alpha[k,x1,y1,x2,y2] = softmax_{x1,y1} Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "the softmax runs over the positions that ask; it must run over those that are looked at",
    ),
    slip(
        "spatial_equations", "query_key_swapped",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Key[k,x1,y1,U] Query[k,x2,y2,U]",
        "key and query are swapped: the first position asks, the second answers with its key",
    ),
    slip(
        "spatial_equations", "same_position_twice",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x1,y1,U]",
        "the score does not depend on the second position; all weights are equal: the key stands at x2, y2",
    ),
    slip(
        "spatial_equations", "no_softmax",
        "alpha[k,x1,y1,x2,y2] = Query[k,x1,y1,U] Key[k,x2,y2,U]",
        "these are the scores: the weights are their softmax",
    ),
    slip(
        "spatial_equations", "scaled_scores",
        "alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} [Query[k,x1,y1,U] Key[k,x2,y2,U] / sqrt(U)]",
        "these equations have no 1/sqrt(U)",
    ),
    slip(
        "spatial_equations", "weights_transposed",
        "Out[k,x,y,I] = sum_{x',y'} alpha[k,x',y',x,y] Value[k,x',y',I]",
        "alpha is read the wrong way round: the position that asks comes first",
    ),
    slip(
        "spatial_equations", "value_not_moved",
        "Out[k,x,y,I] = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x,y,I]",
        "the value is taken where the query stands: it belongs to the position that is looked at",
    ),
    slip(
        "spatial_equations", "concatenation_summed",
        "h_out[x,y,J] = sum_k Out[k,x,y,I]",
        "the heads are added, which leaves I numbers: they are put one after another, which makes J = K*I",
    ),
    slip(
        "spatial_equations", "heads_reversed",
        "h_out[x,y,J] = Out[K,x,y,I]; ...; Out[1,x,y,I]",
        "the heads are put together in the wrong order",
    ),
    slip(
        "spatial_equations", "query_from_key_matrix",
        "Query[k,x,y,U] = WK[k,U,J] h_in[x,y,J]",
        "the query is made with the key's matrix: use WQ",
    ),
    slip(
        "spatial_equations", "key_from_query_matrix",
        "Key[k,x,y,U] = WQ[k,U,J] h_in[x,y,J]",
        "the key is made with the query's matrix: use WK",
    ),
]  # fmt: skip

BLANK = Equation(
    "blank_lm_equation",
    points=5,
    ask="Define the probability of the blanked word `w_t` from the states beside it and the word vectors.",
    tensors=[
        Tensor("P", ["W"], ["P", r"P_\Phi", r"P_\theta", "p", r"\Pr"]),
        Tensor("e", ["W", "I"]),
        Tensor("W_fwd", ["I", "J"], [r"\vec{W}", r"\overrightarrow{W}"]),
        Tensor("W_bwd", ["I", "J"], [r"\tilde{W}", r"\overleftarrow{W}"]),
        Tensor("h_fwd", ["T", "J"], [r"\vec{h}", r"\overrightarrow{h}"]),
        Tensor("h_bwd", ["T", "J"], [r"\tilde{h}", r"\overleftarrow{h}"]),
        Tensor("w", ["T"], entries="W"),
    ],
    ranges={"T": "0..T-1", "t": "1..T-2"},
)
BLANK_KEY = key(
    "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]]"
)
BLANK_SLIPS = [
    slip(
        "blank_lm_equation", "states_see_the_word",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t,J] + e[w_t,I] W_bwd[I,J] h_bwd[t,J]]",
        "h_fwd[t] and h_bwd[t] have read the word that is to be predicted: use h_fwd[t-1] and h_bwd[t+1]",
    ),
    slip(
        "blank_lm_equation", "neighbours_swapped",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t+1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t-1,J]]",
        "the neighbours are swapped: the forward state comes from the left, the backward one from the right",
    ),
    slip(
        "blank_lm_equation", "softmax_closed_early",
        "P(w_t | rest) = (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]",
        "the softmax ends before the second score: it must cover the sum, or the result is no distribution",
    ),
    slip(
        "blank_lm_equation", "sum_of_softmaxes",
        "P(w_t | rest) = (softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]) "
        "+ (softmax_{w_t} e[w_t,I] W_bwd[I,J] h_bwd[t+1,J])",
        "two distributions are added, which gives 2 in total: add the scores, then take one softmax",
    ),
    slip(
        "blank_lm_equation", "no_softmax",
        "P(w_t | rest) = e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_bwd[I,J] h_bwd[t+1,J]",
        "these are scores: a softmax over w_t makes them a distribution",
    ),
    slip(
        "blank_lm_equation", "left_context_only",
        "P(w_t | rest) = softmax_{w_t} e[w_t,I] W_fwd[I,J] h_fwd[t-1,J]",
        "only the words before the blank are used: add the score of the backward state",
    ),
    slip(
        "blank_lm_equation", "word_vectors_match_states",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] h_fwd[t-1,I] + e[w_t,I] h_bwd[t+1,I]]",
        "the word vectors need not be as long as the states: put W_fwd and W_bwd between them",
    ),
    slip(
        "blank_lm_equation", "one_matrix",
        "P(w_t | rest) = softmax_{w_t} [e[w_t,I] W_fwd[I,J] h_fwd[t-1,J] + e[w_t,I] W_fwd[I,J] h_bwd[t+1,J]]",
        "both directions use W_fwd: the backward state has its own matrix W_bwd",
    ),
]  # fmt: skip

CAPTION = Equation(
    "caption_equations",
    points=8,
    ask="Rewrite the four equations of translation with attention for a picture with features `M[x,y,K]`.",
    tensors=[
        Tensor("M", ["X", "Y", "K"]),
        Tensor("e", ["W", "I"]),
        Tensor("W_auto", ["I", "J"], [r"W^{\text{auto}}"]),
        Tensor("W_key", ["J", "K"], [r"W^{\text{key}}"]),
        Tensor("h", ["T", "J"]),
        Tensor("w", ["T"], entries="W"),
        Tensor("P", ["W"], ["P", r"P_\Phi", r"P_\theta", "p", r"\Pr"]),
        Tensor("alpha", ["X", "Y"], [r"\alpha"]),
        Tensor("V", ["K"]),
    ],
    ranges={"T": "0..T-1", "t": "1..T-2"},
    functions=["CELL([J], [K], [I]) -> [J]"],
)
CAPTION_KEY = key(
    """P(w_t | w_1, ..., w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t-1,J]
alpha[x,y] = softmax_{x,y} h[t-1,J] W_key[J,K] M[x,y,K]
V[K] = sum_{x,y} alpha[x,y] M[x,y,K]
h[t,J] = CELL(h[t-1,J], V[K], e[w_t,I])"""
)
CAPTION_SLIPS = [
    slip(
        "caption_equations", "product_of_softmaxes",
        "alpha[x,y] = (softmax_x h[t-1,J] W_key[J,K] M[x,y,K]) (softmax_y h[t-1,J] W_key[J,K] M[x,y,K])",
        "a product of a softmax over x and one over y is no distribution over the picture: "
        "one softmax runs over x and y together",
    ),
    slip(
        "caption_equations", "softmax_over_x",
        "alpha[x,y] = softmax_x h[t-1,J] W_key[J,K] M[x,y,K]",
        "the softmax runs over x alone: the weights must add up to 1 over the whole picture",
    ),
    slip(
        "caption_equations", "softmax_over_y",
        "alpha[x,y] = softmax_y h[t-1,J] W_key[J,K] M[x,y,K]",
        "the softmax runs over y alone: the weights must add up to 1 over the whole picture",
    ),
    slip(
        "caption_equations", "attention_from_present_state",
        "alpha[x,y] = softmax_{x,y} h[t,J] W_key[J,K] M[x,y,K]",
        "h[t] is not known yet when the attention is computed: use h[t-1]",
    ),
    slip(
        "caption_equations", "no_softmax",
        "alpha[x,y] = h[t-1,J] W_key[J,K] M[x,y,K]",
        "these are scores: the weights are their softmax over x and y",
    ),
    slip(
        "caption_equations", "average_pooling",
        "V[K] = (1/(X Y)) sum_{x,y} M[x,y,K]",
        "this is the average of the picture: weigh each position by alpha[x,y]",
    ),
    slip(
        "caption_equations", "weights_left_out",
        "V[K] = sum_{x,y} M[x,y,K]",
        "the positions are added without their weights: multiply by alpha[x,y]",
    ),
    slip(
        "caption_equations", "word_from_present_state",
        "P(w_t | w_1, ..., w_{t-1}) = softmax_{w_t} e[w_t,I] W_auto[I,J] h[t,J]",
        "h[t] has already read w_t: predict it from h[t-1]",
    ),
    slip(
        "caption_equations", "previous_word_consumed",
        "h[t,J] = CELL(h[t-1,J], V[K], e[w_{t-1},I])",
        "the cell at t reads the word w_t, not the one before it",
    ),
    slip(
        "caption_equations", "state_feeds_itself",
        "h[t,J] = CELL(h[t,J], V[K], e[w_t,I])",
        "h[t] is defined by itself: the cell takes h[t-1]",
    ),
]  # fmt: skip

EMBEDDING = Equation(
    "embedding_equation",
    points=2,
    ask="Give the first layer `L_0[b,t,i]` from the word vectors and the words of the batch.",
    tensors=[
        Tensor("L_0", ["B", "T", "I"]),
        Tensor("e", ["W", "I"]),
        Tensor("w", ["B", "T"], entries="W"),
    ],
    ranges={"T": "0..T-1"},
)
EMBEDDING_KEY = key("L_0[b,t,i] = e[w[b,t],i]")
EMBEDDING_SLIPS = [
    slip(
        "embedding_equation", "previous_word",
        "L_0[b,t,i] = e[w[b,t-1],i]",
        "position t gets the vector of the word before it: use w[b,t]",
    ),
    slip(
        "embedding_equation", "next_word",
        "L_0[b,t,i] = e[w[b,t+1],i]",
        "position t gets the vector of the word after it: use w[b,t]",
    ),
    slip(
        "embedding_equation", "summed_over_time",
        "L_0[b,t,i] = sum_t e[w[b,t],i]",
        "the sum over t makes one vector of the whole sentence: each position keeps its own",
    ),
    slip(
        "embedding_equation", "batch_forgotten",
        "L_0[b,t,i] = e[w[t],i]",
        "w needs the sentence as well as the position: w[b,t]",
    ),
    slip(
        "embedding_equation", "word_itself",
        "L_0[b,t,i] = w[b,t,i]",
        "w holds words, not vectors: look the word up in e",
    ),
    slip(
        "embedding_equation", "summed_over_the_batch",
        "L_0[b,t,i] = sum_b e[w[b,t],i]",
        "the sum over b mixes all sentences of the batch: each keeps its own",
    ),
]  # fmt: skip

LAYER = Equation(
    "layer_equation",
    points=4,
    ask="Give `L_{l+1}[b,t,i]` from `L_l`, `W_{l+1}[dt,i',i]` and `B_{l+1}[i]`: stride 2, bias subtracted.",
    tensors=[
        Tensor("L_{l+1}", ["B", "S", "I"], [r"L_{\ell+1}"]),
        Tensor("L_l", ["B", "T", "I'"], [r"L_\ell"]),
        Tensor("W_{l+1}", ["D", "I'", "I"], [r"W_{\ell+1}"]),
        Tensor("B_{l+1}", ["I"], [r"B_{\ell+1}"]),
    ],
    sizes={"T": "D + 2*R", "S": "R + 1"},
    ranges={"T": "0..T-1", "S": "0..S-1", "D": "0..D-1"},
    functions=["sigma"],
)
LAYER_KEY = key("L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i])")
LAYER_SLIPS = [
    slip(
        "layer_equation", "bias_added",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] + B_{l+1}[i])",
        "the bias is added: here it is a threshold, which is subtracted",
    ),
    slip(
        "layer_equation", "stride_forgotten",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,t+dt,i'] - B_{l+1}[i])",
        "the stride is forgotten: position t of the new layer starts at 2t of the old one",
    ),
    slip(
        "layer_equation", "dilation_for_stride",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,t+2dt,i'] - B_{l+1}[i])",
        "this doubles the step inside the window (a dilation): the stride doubles t",
    ),
    slip(
        "layer_equation", "window_doubled_too",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+2dt,i'] - B_{l+1}[i])",
        "only t is doubled; the window itself has step 1",
    ),
    slip(
        "layer_equation", "window_reversed",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t-dt,i'] - B_{l+1}[i])",
        "the window runs backwards: read 2t+dt",
    ),
    slip(
        "layer_equation", "bias_outside",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i']) - B_{l+1}[i]",
        "the bias is subtracted after sigma: it belongs inside",
    ),
    slip(
        "layer_equation", "no_activation",
        "L_{l+1}[b,t,i] = sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]",
        "sigma is missing",
    ),
    slip(
        "layer_equation", "no_bias",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[b,2t+dt,i'])",
        "the bias B_{l+1}[i] is missing",
    ),
    slip(
        "layer_equation", "bias_in_every_term",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} (W_{l+1}[dt,i',i] L_l[b,2t+dt,i'] - B_{l+1}[i]))",
        "the bias is subtracted once for each term of the sum: subtract it once, after the sum",
    ),
    slip(
        "layer_equation", "batch_forgotten",
        "L_{l+1}[b,t,i] = sigma(sum_{dt,i'} W_{l+1}[dt,i',i] L_l[2t+dt,i'] - B_{l+1}[i])",
        "L_l has lost its batch index: write L_l[b,2t+dt,i']",
    ),
]  # fmt: skip

MERGED = Equation(
    "merged_equation",
    points=20,
    ask="Give the merged matrix `W_tilde[k,j1,j2]` from `WQ` and `WK`, the factor `1/sqrt(I)` included.",
    tensors=[
        Tensor("WQ", ["K", "I", "J"], ["W^Q", r"W_{\ell+1}^Q"]),
        Tensor("WK", ["K", "I", "J"], ["W^K", r"W_{\ell+1}^K"]),
        Tensor("W_tilde", ["K", "J", "J"], [r"\tilde{W}^Q", r"\tilde{W}", r"\tilde{W}_{\ell+1}^Q", "W~"]),
    ],
    matrix=True,
)
MERGED_KEY = key("W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WK[k,I,j2]")
MERGED_SLIPS = [
    slip(
        "merged_equation", "scale_missing",
        "W_tilde[k,j1,j2] = WQ[k,I,j1] WK[k,I,j2]",
        "the factor 1/sqrt(I) is missing: nothing else in the new equation can supply it",
    ),
    slip(
        "merged_equation", "scaled_by_I",
        "W_tilde[k,j1,j2] = (1/I) WQ[k,I,j1] WK[k,I,j2]",
        "the factor is 1/I: the square root is missing",
    ),
    slip(
        "merged_equation", "scaled_by_J",
        "W_tilde[k,j1,j2] = (1/sqrt(J)) WQ[k,I,j1] WK[k,I,j2]",
        "the factor is 1/sqrt(J): the inner product has length I",
    ),
    slip(
        "merged_equation", "scale_inverted",
        "W_tilde[k,j1,j2] = sqrt(I) WQ[k,I,j1] WK[k,I,j2]",
        "sqrt(I) multiplies: it must divide",
    ),
    slip(
        "merged_equation", "query_key_swapped",
        "W_tilde[k,j1,j2] = (1/sqrt(I)) WK[k,I,j1] WQ[k,I,j2]",
        "key and query are swapped: j1 belongs to the query",
    ),
    slip(
        "merged_equation", "query_twice",
        "W_tilde[k,j1,j2] = (1/sqrt(I)) WQ[k,I,j1] WQ[k,I,j2]",
        "WQ stands twice: the second factor is WK",
    ),
    slip(
        "merged_equation", "heads_summed",
        "W_tilde[k,j1,j2] = (1/sqrt(I)) sum_k WQ[k,I,j1] WK[k,I,j2]",
        "the heads are added: each keeps its own matrix",
    ),
]  # fmt: skip

ATTENTION = Equation(
    "attention_equation",
    points=5,
    ask="Write the attention `alpha[k,t1,t2]` through `W_tilde`.",
    tensors=[
        Tensor("L", ["T", "J"], [r"L_\ell", "L_l"]),
        Tensor("W_tilde", ["K", "J", "J"], [r"\tilde{W}^Q", r"\tilde{W}", r"\tilde{W}_{\ell+1}^Q", "W~"]),
        Tensor("alpha", ["K", "T", "T"], [r"\alpha", r"\alpha_{\ell+1}", "alpha_{l+1}"]),
        Tensor("WQ", ["K", "I", "J"], ["W^Q", r"W_{\ell+1}^Q"]),
        Tensor("WK", ["K", "I", "J"], ["W^K", r"W_{\ell+1}^K"]),
    ],
    matrix=True,
)
ATTENTION_KEY = key(
    "alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]", holds=[MERGED_KEY.answer]
)
ATTENTION_SLIPS = [
    slip(
        "attention_equation", "same_position_twice",
        "alpha[k,t1,t2] = softmax_{t2} [L[t1,J1] W_tilde[k,J1,J2] L[t1,J2]]",
        "t1 stands where t2 belongs: the score does not depend on t2, and every weight is 1/T",
    ),
    slip(
        "attention_equation", "softmax_over_queries",
        "alpha[k,t1,t2] = softmax_{t1} [L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
        "the softmax runs over t1: the weights of one t1 must add up to 1 over t2",
    ),
    slip(
        "attention_equation", "transposed",
        "alpha[k,t1,t2] = softmax_{t2} [L[t2,J1] W_tilde[k,J1,J2] L[t1,J2]]",
        "the two sides are swapped: the first index of W_tilde belongs to the query at t1",
    ),
    slip(
        "attention_equation", "scaled_twice",
        "alpha[k,t1,t2] = softmax_{t2} [(1/sqrt(I)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
        "1/sqrt(I) is already inside W_tilde",
    ),
    slip(
        "attention_equation", "scaled_by_J",
        "alpha[k,t1,t2] = softmax_{t2} [(1/sqrt(J)) L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]]",
        "no factor is left to write: 1/sqrt(I) is already inside W_tilde",
    ),
    slip(
        "attention_equation", "no_softmax",
        "alpha[k,t1,t2] = L[t1,J1] W_tilde[k,J1,J2] L[t2,J2]",
        "this is the score: the attention is its softmax over t2",
    ),
    slip(
        "attention_equation", "one_index_for_two",
        "alpha[k,t1,t2] = softmax_{t2} [L[t1,J] W_tilde[k,J,J] L[t2,J]]",
        "J stands for both indices of W_tilde, so only its diagonal is used: name them J1 and J2",
    ),
]  # fmt: skip

FINAL = Equation(
    "final_output",
    points=4,
    ask="Give `Y_T` in closed form, from the inputs `X_1 … X_T` and `H_0`, for even `T`.",
    tensors=[
        Tensor("Y_T", []),
        Tensor("X", ["T"]),
        Tensor("H_0", []),
    ],
    sizes={"T": "4 + 2*R"},
    ranges={"T": "1..T"},
)
FINAL_KEY = key("Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))")
FINAL_SLIPS = [
    slip(
        "final_output", "odd_minus_even",
        "Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i-1} - X_{2i}) + H_0))",
        "the signs are swapped: the last input, at an even place, enters with +",
    ),
    slip(
        "final_output", "factor_misses_the_state",
        "Y_T = sigmoid(1000 sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)",
        "1000 multiplies the sum only: it multiplies H_0 too",
    ),
    slip(
        "final_output", "factor_missing",
        "Y_T = sigmoid(sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)",
        "the factor 1000 is missing",
    ),
    slip(
        "final_output", "state_subtracted",
        "Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) - H_0))",
        "H_0 enters with +: its sign changes T times, and T is even",
    ),
    slip(
        "final_output", "state_forgotten",
        "Y_T = sigmoid(1000 sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}))",
        "H_0 is missing",
    ),
    slip(
        "final_output", "plain_sum",
        "Y_T = sigmoid(1000 (sum_{t=1}^{T} X_t + H_0))",
        "all inputs are added: their signs alternate",
    ),
    slip(
        "final_output", "no_sigmoid",
        "Y_T = 1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)",
        "the sigmoid is missing",
    ),
    slip(
        "final_output", "last_step_only",
        "Y_T = sigmoid(1000 (X_T - X_{T-1} + H_0))",
        "only the last two inputs are used: every earlier one is still in the hidden state",
    ),
]  # fmt: skip

LINEAR = Equation(
    "linear_equation",
    points=4,
    ask="Give `y_i` of linear attention: softmax attention with the exponential left out, still normalised.",
    tensors=[
        Tensor("q", ["T", "d"], draw="positive"),
        Tensor("k", ["T", "d"], draw="positive"),
        Tensor("v", ["T", "dv"]),
        Tensor("y", ["T", "dv"]),
    ],
    matrix=True,
)
LINEAR_KEY = key("y_i = (sum_j <q_i,k_j> v_j) / (sum_j <q_i,k_j>)")
LINEAR_SLIPS = [
    slip(
        "linear_equation", "not_normalised",
        "y_i = sum_j <q_i,k_j> v_j",
        "the weights are not normalised: divide by their sum over j",
    ),
    slip(
        "linear_equation", "softmax_kept",
        "y_i = sum_j softmax_j(<q_i,k_j>) v_j",
        "this is ordinary attention: the exponential is to be left out",
    ),
    slip(
        "linear_equation", "value_at_i",
        "y_i = (sum_j <q_i,k_j> v_i) / (sum_j <q_i,k_j>)",
        "v_i does not depend on j, so everything cancels and y_i = v_i: use v_j",
    ),
    slip(
        "linear_equation", "normalised_over_queries",
        "y_i = sum_j (<q_i,k_j> / (sum_l <q_l,k_j>)) v_j",
        "the weights are normalised over the queries: for one i they must add up to 1 over j",
    ),
    slip(
        "linear_equation", "query_key_swapped",
        "y_i = (sum_j <q_j,k_i> v_j) / (sum_j <q_j,k_i>)",
        "query and key are swapped: position i asks, position j answers with its key",
    ),
    slip(
        "linear_equation", "divided_by_length",
        "y_i = (1/T) sum_j <q_i,k_j> v_j",
        "divided by T: divide by the sum of the weights instead",
    ),
    slip(
        "linear_equation", "score_with_itself",
        "y_i = (sum_j <q_j,k_j> v_j) / (sum_j <q_j,k_j>)",
        "the result does not depend on i: the query stands at i",
    ),
]  # fmt: skip

HEAD = Equation(
    "head_equation",
    points=4,
    ask="Give one attention head in matrix notation; items are columns, the softmax works down each column.",
    tensors=[
        Tensor("H_{l,h}", ["D", "N"], [r"\mathbf{H}_{\ell,h}"]),
        Tensor("H_{l-1}", ["D", "N"], [r"\mathbf{H}_{\ell-1}", "H"]),
        Tensor("H_l", ["D", "N"], [r"\mathbf{H}_{\ell}"]),
        Tensor("Q_{l,h}", ["D", "D"], [r"\mathbf{Q}_{\ell,h}", "Q", "Q_h"]),
        Tensor("K_{l,h}", ["D", "D"], [r"\mathbf{K}_{\ell,h}", "K", "K_h"]),
        Tensor("V_{l,h}", ["D", "D"], [r"\mathbf{V}_{\ell,h}", "V", "V_h"]),
    ],
    matrix=True,
    columns=True,
)
HEAD_KEY = key("H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})")
HEAD_SLIPS = [
    slip(
        "head_equation", "query_key_swapped",
        "H_{l,h} = V_{l,h} H_{l-1} SoftMax((Q_{l,h} H_{l-1})^T K_{l,h} H_{l-1})",
        "key and query are swapped: the keys are transposed, so that a column holds the scores of one query",
    ),
    slip(
        "head_equation", "softmax_of_rows",
        "H_{l,h} = V_{l,h} H_{l-1} softmax_{row}((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})",
        "the softmax works along the rows: the weights of one item stand in a column",
    ),
    slip(
        "head_equation", "scaled",
        "H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1} / sqrt(D))",
        "these notes do not divide by sqrt(D)",
    ),
    slip(
        "head_equation", "no_softmax",
        "H_{l,h} = V_{l,h} H_{l-1} (K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1}",
        "the softmax is missing",
    ),
    slip(
        "head_equation", "weights_transposed",
        "H_{l,h} = V_{l,h} H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})^T",
        "the attention matrix is transposed: its columns already belong to the items that ask",
    ),
    slip(
        "head_equation", "transpose_missing",
        "H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h} H_{l-1} Q_{l,h} H_{l-1})",
        "the keys are not transposed: a D x N matrix cannot be multiplied by another one",
    ),
    slip(
        "head_equation", "transposed_the_queries",
        "H_{l,h} = V_{l,h} H_{l-1} SoftMax(K_{l,h} H_{l-1} (Q_{l,h} H_{l-1})^T)",
        "this attention matrix is D x D: it must compare the N items, so transpose the keys",
    ),
    slip(
        "head_equation", "values_left_out",
        "H_{l,h} = H_{l-1} SoftMax((K_{l,h} H_{l-1})^T Q_{l,h} H_{l-1})",
        "the items themselves are mixed: multiply by V_{l,h}",
    ),
]  # fmt: skip

STACKED = Equation(
    "layer_equation",
    points=3,
    ask="Give the output `H_l` of the layer: the heads `H_{l,1} … H_{l,n}` one under another, fed into `FF`.",
    tensors=[
        Tensor("H_l", ["D", "N"], [r"\mathbf{H}_\ell"]),
        Tensor("H_{l,*}", ["n", "D", "N"], [r"\mathbf{H}_{\ell,*}"]),
        Tensor("delta_*", ["n", "n"], [r"\delta_{*}"], draw="identity"),
        Tensor("W_ff", ["D", "M"], [r"W_{\text{ff}}", "W_{FF}", r"\mathbf{W}_{\text{ff}}"]),
        Tensor("b_ff", ["D"], [r"b_{\text{ff}}", "b_{FF}", r"\mathbf{b}_{\text{ff}}"]),
    ],
    sizes={"M": "n*D"},
    functions=["FF(C) = sigmoid(W_ff C + b_ff)"],
    matrix=True,
)
STACKED_KEY = key("H_l = FF(sum_h delta_h (x) H_{l,h})")
STACKED_SLIPS = [
    slip(
        "layer_equation", "heads_interleaved",
        "H_l = FF(sum_h H_{l,h} (x) delta_h)",
        "H_{l,h} (x) delta_h interleaves the rows of the heads: delta_h (x) H_{l,h} stacks them",
    ),
    slip(
        "layer_equation", "heads_reversed",
        "H_l = FF([H_{l,n}; ...; H_{l,1}])",
        "the heads are stacked in the wrong order",
    ),
    slip(
        "layer_equation", "concatenation_summed",
        "H_l = FF(sum_h H_{l,h})",
        "the heads are added, which leaves D rows: FF takes all n*D rows of the stack",
    ),
    slip(
        "layer_equation", "no_feedforward",
        "H_l = sum_h delta_h (x) H_{l,h}",
        "the stack still has n*D rows: FF brings it back to D",
    ),
    slip(
        "layer_equation", "feedforward_of_each_head",
        "H_l = sum_h FF(H_{l,h})",
        "FF takes the whole stack, not one head at a time",
    ),
    slip(
        "layer_equation", "bias_forgotten",
        "H_l = sigmoid(W_ff [H_{l,1}; ...; H_{l,n}])",
        "the bias b_ff is missing",
    ),
]  # fmt: skip

PARTS: dict[str, Part] = {
    "spatial_equations": ("spatial_attention", SPATIAL, SPATIAL_KEY, SPATIAL_SLIPS),
    "blank_lm_equation": ("blank_language_model", BLANK, BLANK_KEY, BLANK_SLIPS),
    "caption_equations": ("image_captioning", CAPTION, CAPTION_KEY, CAPTION_SLIPS),
    "embedding_equation": ("language_cnn", EMBEDDING, EMBEDDING_KEY, EMBEDDING_SLIPS),
    "layer_equation": ("language_cnn", LAYER, LAYER_KEY, LAYER_SLIPS),
    "merged_equation": ("merged_query_key", MERGED, MERGED_KEY, MERGED_SLIPS),
    "attention_equation": ("merged_query_key", ATTENTION, ATTENTION_KEY, ATTENTION_SLIPS),
    "final_output": ("alternating_rnn", FINAL, FINAL_KEY, FINAL_SLIPS),
    "linear_equation": ("linear_attention", LINEAR, LINEAR_KEY, LINEAR_SLIPS),
    "head_equation": ("column_attention", HEAD, HEAD_KEY, HEAD_SLIPS),
    "stacked_layer_equation": ("multihead_feedforward", STACKED, STACKED_KEY, STACKED_SLIPS),
}
