import { MAX_ATTACHMENTS } from '@lodge/shared/attachments.ts'
import { ApiError, api } from '../../../api.ts'
import {
  isNothing,
  isSame,
  keep,
  NOTHING_TYPED,
  readKept,
  type Typed,
  typedOf,
} from './kept-draft.ts'

const SAVE_AFTER_MS = 1_000

export interface State {
  readonly typed: Typed
  readonly state: 'empty' | 'saving' | 'saved' | 'here'
  readonly other: Typed | undefined
}

/** Merges two drafts: one text below the other, and the files of both. */
function both(typed: Typed, other: Typed): Partial<Typed> {
  const more = other.files.filter(({ id }) => !typed.files.some((file) => file.id === id))
  return {
    text: `${typed.text}\n\n${other.text}`.trim(),
    files: [...typed.files, ...more].slice(0, MAX_ATTACHMENTS),
  }
}

/** Stores a draft: in this browser on every keystroke, and shortly afterwards with the account. */
export class DraftStore {
  state: State
  #version: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> = Promise.resolve()
  #tell: (state: State) => void = () => undefined

  readonly person: string
  readonly id: string
  readonly readOnly: boolean

  constructor(person: string, id: string, readOnly: boolean) {
    this.person = person
    this.id = id
    this.readOnly = readOnly
    const kept = readKept(person, id)
    const typed = kept?.typed ?? NOTHING_TYPED
    this.#version = kept?.version ?? 0
    this.state = { typed, state: isNothing(typed) ? 'empty' : 'here', other: undefined }
  }

  /** Loads the account's draft, and reports every change until the returned function is called. */
  begin(tell: (state: State) => void): () => void {
    this.#tell = tell
    if (!this.readOnly) void this.#read()
    return () => {
      this.#tell = () => undefined
      this.flush()
    }
  }

  /** Sends a pending save immediately. */
  flush(): void {
    if (this.#timer !== undefined) this.#save(true)
  }

  change(what: Partial<Typed>): void {
    const typed = { ...this.state.typed, ...what }
    keep(this.person, this.id, { typed, version: this.#version })
    this.#set({ typed, state: isNothing(typed) ? 'empty' : 'here' })
    clearTimeout(this.#timer)
    if (!this.readOnly) this.#timer = setTimeout(() => this.#save(), SAVE_AFTER_MS)
  }

  settle(insert: boolean): void {
    const { other, typed } = this.state
    this.#set({ other: undefined })
    if (insert && other) this.change(both(typed, other))
    else if (!this.readOnly) this.#save()
  }

  /** Waits until no save is in flight: it would arrive after the message that is sent now. */
  rest(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#saving
  }

  sent(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    keep(this.person, this.id, undefined)
    this.#version = 0
    const { isNote } = this.state.typed
    this.#set({ typed: { ...NOTHING_TYPED, isNote }, state: 'empty', other: undefined })
  }

  #set(change: Partial<State>): void {
    this.state = { ...this.state, ...change }
    this.#tell(this.state)
  }

  async #read(): Promise<void> {
    const stored = await this.#stored().catch(() => undefined)
    // If that fails, it stays in this browser.
    if (!stored) return
    const { typed, version } = stored
    const mine = this.state.typed
    const continued = this.#version === version
    this.#version = version
    if (isNothing(mine)) {
      if (!isNothing(typed)) this.#set({ typed, state: 'saved' })
    } else if (isSame(mine, typed)) this.#set({ state: 'saved' })
    else if (continued || isNothing(typed)) this.#save()
    else this.#set({ other: typed })
  }

  async #stored(): Promise<{ typed: Typed; version: number }> {
    const { content, version } = await api('GET /api/support/drafts/{id}', {
      params: { id: this.id },
    })
    return { typed: typedOf(content), version }
  }

  /** Serialized, so that each save continues the version before it. */
  #save(keepalive = false): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#saving = this.#saving.then(() => this.#put(keepalive))
  }

  async #put(keepalive: boolean): Promise<void> {
    const { typed } = this.state
    this.#set({ state: 'saving' })
    try {
      const { version } = await api('PUT /api/support/drafts/{id}', {
        params: { id: this.id },
        body: { content: { ...typed }, version: this.#version },
        keepalive,
      })
      this.#version = version
      if (!isSame(this.state.typed, typed)) return
      keep(this.person, this.id, undefined)
      this.#set({ state: isNothing(typed) ? 'empty' : 'saved' })
    } catch (error) {
      this.#set({ state: 'here' })
      if (error instanceof ApiError && error.problem.status === 409) await this.#meet(typed)
    }
  }

  /** Another browser was faster: keeps both texts until the person has chosen. */
  async #meet(mine: Typed): Promise<void> {
    const stored = await this.#stored().catch(() => undefined)
    if (!stored) return
    this.#version = stored.version
    if (isNothing(stored.typed)) this.#save()
    else if (!isSame(stored.typed, mine)) this.#set({ other: stored.typed })
  }
}
