/**
 * How an action is phrased in an audit entry; `{target}` is replaced by the target's name, `{path}` by
 * the files that the request names.
 */
export interface ActionWords {
  readonly words: string
  /** The action only viewed or tried something and changed nothing. */
  readonly looks?: true
  /** Wording by the value of a body field, where that value has its own. */
  readonly byField?: { readonly name: string; readonly words: Readonly<Record<string, string>> }
}

/** Follows an action whose answer held a link that opens something. */
export const LINK_SHOWN = ', and was shown the link'

/** Wording of every action, by endpoint key or action name. */
export class ActionCatalogue {
  readonly #words: ReadonlyMap<string, ActionWords>

  constructor(words: Iterable<readonly [action: string, words: ActionWords | string]>) {
    this.#words = new Map(
      Array.from(words, ([action, is]) => [action, typeof is === 'string' ? { words: is } : is]),
    )
  }

  has(action: string): boolean {
    return this.#words.has(action)
  }

  /** Actions that change nothing. */
  get looks(): string[] {
    return [...this.#words].filter(([, { looks }]) => looks).map(([action]) => action)
  }

  /**
   * What was done, phrased to follow the actor's name: "stopped Under the hill".
   * @param detail of the entry: the target's name and the request body
   */
  wordsFor(action: string, detail: Readonly<Record<string, unknown>>): string {
    const known = this.#words.get(action)
    const body = Object(detail.body) as Readonly<Record<string, unknown>>
    const { name = '', words: of = {} } = known?.byField ?? {}
    const words = of[String(body[name])] ?? known?.words ?? action
    const link = detail.linkShown === true ? LINK_SHOWN : ''
    // At once: a path or a name may look like a placeholder itself.
    const said = words.replaceAll(/\{(path|target)\}/g, (_, what) =>
      what === 'path' ? pathIn(detail) : nameIn(detail),
    )
    return said + link
  }

  /** Actions whose wording contains this text, and body fields with a matching value. */
  saying(text: string): { actions: string[]; fields: { name: string; value: string }[] } {
    const says = (words: string) =>
      words
        .replaceAll(/\{\w+\}/g, '')
        .toLowerCase()
        .includes(text)
    const all = [...this.#words]
    return {
      actions: all.filter(([, { words }]) => says(words)).map(([action]) => action),
      fields: all.flatMap(([, { byField }]) =>
        Object.entries(byField?.words ?? {})
          .filter(([, words]) => says(words))
          .map(([value]) => ({ name: byField?.name ?? '', value })),
      ),
    }
  }
}

function nameIn({ target, body }: Readonly<Record<string, unknown>>): string {
  const { name, email } = Object(body) as { name?: unknown; email?: unknown }
  const found = [target, name, email].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found : 'something that has no name'
}

/** The first path and how many more there are. */
function pathIn({ query, body }: Readonly<Record<string, unknown>>): string {
  const given: Readonly<Record<string, unknown>> = { ...Object(query), ...Object(body) }
  const { path, paths, moves = given.copies, to } = given
  const named = Array.isArray(paths)
    ? paths
    : Array.isArray(moves)
      ? moves.map(pairIn)
      : [path ?? to]
  const [first, ...others] = named.filter((one) => typeof one === 'string')
  if (first === undefined) return 'files'
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

function pairIn(pair: unknown): string {
  const { from, to } = Object(pair) as { from?: unknown; to?: unknown }
  return `${from} to ${to}`
}
