import { Problem } from '../problem.ts'

const MIB = 1024 * 1024
const AGAIN_SECONDS = 5

/** One body's share of the memory, until it ends. */
export interface BodyPlace {
  /** @throws {Problem} rate_limited if there is no room for this many more bytes */
  take(bytes: number): void
  /** Returns the whole share; later calls of `take` do nothing. */
  end(): void
}

/**
 * Limits the memory of all bodies that are buffered before their sender is known. Each body has a limit
 * and each sender a budget, but their sum could be many times the memory of this machine.
 */
export class BodyRoom {
  readonly #mostBytes: number
  readonly #mostBytesOfSender: number
  readonly #bySender = new Map<string, number>()
  #bytes = 0

  constructor({ mostBytes, mostBytesOfSender }: { mostBytes: number; mostBytesOfSender: number }) {
    this.#mostBytes = mostBytes
    this.#mostBytesOfSender = mostBytesOfSender
  }

  /** @param sender its network; undefined for one that passes on what many others sent */
  place(sender: string | undefined): BodyPlace {
    let taken = 0
    let isOver = false
    return {
      take: (bytes) => {
        if (isOver) return
        const ofSender = sender === undefined ? 0 : (this.#bySender.get(sender) ?? 0)
        const isMoreThanShare = sender !== undefined && ofSender + bytes > this.#mostBytesOfSender
        if (this.#bytes + bytes > this.#mostBytes || isMoreThanShare)
          throw new Problem(
            'rate_limited',
            `Too much is being received now: try again in ${AGAIN_SECONDS} seconds`,
            { retryAfterSeconds: AGAIN_SECONDS },
          )
        taken += bytes
        this.#bytes += bytes
        if (sender !== undefined) this.#bySender.set(sender, ofSender + bytes)
      },
      end: () => {
        if (isOver) return
        isOver = true
        this.#bytes -= taken
        if (sender === undefined) return
        const left = (this.#bySender.get(sender) ?? 0) - taken
        if (left > 0) this.#bySender.set(sender, left)
        else this.#bySender.delete(sender)
      },
    }
  }
}

/** The limit of this process, for requests and mails together. */
export const bodyRoom = new BodyRoom({ mostBytes: 256 * MIB, mostBytesOfSender: 128 * MIB })
