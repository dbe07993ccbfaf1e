/** One transition of a state machine: the states it may start from and the state it leads to. */
export interface Move<S extends string> {
  readonly from: readonly S[]
  readonly to: S
}

/** A state machine as data, so that the API, the panel and the database read the same rules. */
export interface Machine<S extends string, A extends string> {
  readonly states: readonly S[]
  readonly moves: { readonly [K in A]: Move<S> }
  can(action: A, state: S): boolean
}

export function machine<const S extends string, const A extends string>(
  states: readonly S[],
  moves: Record<A, Move<NoInfer<S>>>,
): Machine<S, A> {
  return { states, moves, can: (action, state) => moves[action].from.includes(state) }
}
