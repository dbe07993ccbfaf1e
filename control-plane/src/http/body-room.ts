import { Problem } from '../problem.ts'

const MIB = 1024 * 1024
const AGAIN_SECONDS = 5

/** What one body takes of the room, until it ends. */
export interface BodyPlace {
  /** @throws {Problem} rate_limited if so many bytes more have no room */
  take(bytes: number): void
  /** Gives everything back; nothing is taken after that. */
  end(): void
}

/**
 * Memory for what is collected as a whole before anybody knows who sent it. Each body has its limit, and
 * each sender a budget, but together they would be many times the memory of this machine.
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

/** The room of this process, for requests and mails together. */
export const bodyRoom = new BodyRoom({ mostBytes: 256 * MIB, mostBytesOfSender: 128 * MIB })
