/** What an entry of the record says was done; `{target}` is the name of what it was done to. */
export interface ActionWords {
  readonly words: string
  /** Somebody looked or tried; nothing is different afterwards. */
  readonly looks?: true
  /** Says it by the value of a field of the body, where that has words of its own. */
  readonly byField?: { readonly name: string; readonly words: Readonly<Record<string, string>> }
}

/** The words of every action, by the key of an endpoint or by the name of what happened beside one. */
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

  /** The actions after which nothing is different. */
  get looks(): string[] {
    return [...this.#words].filter(([, { looks }]) => looks).map(([action]) => action)
  }

  /**
   * What was done, to be read after the name of who did it: "stopped Under the hill".
   * @param detail of the entry: the name of its target, and the body of the request
   */
  wordsFor(action: string, detail: Readonly<Record<string, unknown>>): string {
    const known = this.#words.get(action)
    const body = Object(detail.body) as Readonly<Record<string, unknown>>
    const { name = '', words: of = {} } = known?.byField ?? {}
    const words = of[String(body[name])] ?? known?.words ?? action
    const link = detail.linkShown === true ? ', and was shown the link' : ''
    return words.replace('{target}', () => nameIn(detail)) + link
  }

  /** Actions that are told with this text, and fields of a body whose value is. */
  saying(text: string): { actions: string[]; fields: { name: string; value: string }[] } {
    const says = (words: string) => words.replace('{target}', '').toLowerCase().includes(text)
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
