import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { PluginStart } from '@lodge/shared/plugins/protocol.ts'
import { Channel } from './channel.ts'
import { PLUGIN_NICENESS, STARTING_NICENESS, shareOfSession } from './cpu-share.ts'
import { PluginFault } from './fault.ts'
import { pace } from './pace.ts'
import { PATHS, sandboxed } from './sandbox.ts'

const START_MS = 15_000
/**
 * A plugin that did not answer in time must answer a ping, or it hangs; one that was asked for more
 * than it has read gets the time to read it.
 */
const PING = { usuallyMs: 2000, behindMs: 10_000 }
const MAX_LOG_LINE = 10_000
const LOG_BYTES_PER_SECOND = 128 * 1024

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** What runs. */
export interface Running {
  readonly id: string
  readonly permissions: readonly string[]
  /** Folder of its unpacked package. */
  readonly folder: string
  readonly start: PluginStart
  /** Values that its log must not contain. */
  readonly secrets: readonly string[]
}

/** What the host does for plugins. */
export interface PluginOwner {
  /** Answers a call of a plugin. */
  serve(plugin: Running, call: string, given: unknown): Promise<unknown>
  log(plugin: Running, level: LogLevel, text: string): void
}

/** One process of one plugin. */
export class PluginProcess {
  readonly #child
  readonly #channel: Channel
  /** Resolves when the process has ended, with the reason. */
  readonly ended: Promise<string>
  #reason: string | undefined

  private constructor(running: Running, owner: PluginOwner) {
    const [file, args] = sandboxed(running.folder)
    // `detached` gives it a session of its own, so that it has no terminal to type into.
    const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const
    const child = spawn(file, args, { stdio: [...stdio], env: PATHS, detached: true })
    this.#child = child
    this.#share(STARTING_NICENESS)
    for (const [stream, level] of [
      [child.stdout, 'info'],
      [child.stderr, 'error'],
    ] as const)
      eachLine(stream as Readable, (text) => owner.log(running, level, text))
    this.#channel = new Channel(child.stdio[3] as Readable, child.stdin as Writable, {
      serve: (call, given) => owner.serve(running, call, given),
      log: (level, text) => owner.log(running, level as LogLevel, text),
      broken: (why) => this.kill(why),
    })
    this.ended = new Promise((resolve) => {
      const end = (why: string) => {
        this.#reason ??= why
        this.#channel.close(this.#reason)
        resolve(this.#reason)
      }
      child.once('error', (error) => end(`It could not be started: ${error.message}`))
      child.once('exit', (code, signal) => end(`It ended by itself (${signal ?? `code ${code}`})`))
    })
  }

  /** Starts a process and waits until the plugin has loaded. @throws PluginFault */
  static async start(running: Running, owner: PluginOwner): Promise<PluginProcess> {
    const process = new PluginProcess(running, owner)
    try {
      await process.#channel.request('start', running.start, START_MS)
      process.#share(PLUGIN_NICENESS)
      return process
    } catch (error) {
      process.kill(error instanceof Error ? error.message : 'It did not start')
      throw error
    }
  }

  /** @throws PluginFault */
  async call(method: string, given: unknown, timeoutMs: number): Promise<unknown> {
    try {
      return await this.#channel.request(method, given, timeoutMs)
    } catch (error) {
      if (error instanceof PluginFault && error.reason === 'timeout') await this.#endIfHung()
      throw error
    }
  }

  /** Ends it at once. */
  kill(why: string): void {
    this.#reason ??= why
    this.#child.kill('SIGKILL')
  }

  /** Ends it if it does not even answer the runner: its code never returns. */
  async checkAnswers(): Promise<void> {
    await this.#endIfHung()
  }

  #share(niceness: number): void {
    if (this.#child.pid !== undefined) void shareOfSession(this.#child.pid, niceness)
  }

  async #endIfHung(): Promise<void> {
    await this.#channel.ping(PING).catch(() => this.kill('It was ended because it did not answer'))
  }
}

/** Calls `take` with each line, long ones cut. */
function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  pace(stream, LOG_BYTES_PER_SECOND)
  stream.on('data', (part: string) => {
    const lines = (rest + part).split('\n')
    rest = (lines.pop() ?? '').slice(0, MAX_LOG_LINE)
    for (const line of lines) if (line !== '') take(line.slice(0, MAX_LOG_LINE))
  })
  stream.on('error', () => undefined)
}
