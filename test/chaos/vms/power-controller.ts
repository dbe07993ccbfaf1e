import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { until } from '../../support/until.ts'

/** Requests a power cut, and waits until it has happened. */
const PROGRAM = `#!/bin/sh
cd "$(dirname "$0")"
echo "$1 $2" >> calls
[ -e connected ] || { echo 'it has no outlet here' >&2; exit 3; }
if [ "$1" = off ]; then
  touch asked
  for _ in $(seq 250); do [ -e off ] && exit 0; sleep 0.1; done
  exit 4
fi
[ -e off ] && echo off || echo on
`

/** Switches a node off for the control plane, which runs its program. */
export class PowerController implements AsyncDisposable {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async open(): Promise<PowerController> {
    const one = new PowerController(await mkdtemp(path.join(os.tmpdir(), 'lodge-power-')))
    await writeFile(one.command, PROGRAM, { mode: 0o755 })
    return one
  }

  get command(): string {
    return path.join(this.#folder, 'fence')
  }

  /** From now on it can cut the power, and does so on request; resolves then. */
  async connect(cut: () => Promise<void>): Promise<void> {
    await writeFile(path.join(this.#folder, 'connected'), '')
    await until(() => this.#has('asked'), ASKED_MS)
    await cut()
    await writeFile(path.join(this.#folder, 'off'), '')
  }

  /** Each call so far. */
  async calls(): Promise<string[]> {
    const text = await readFile(path.join(this.#folder, 'calls'), 'utf8').catch(() => '')
    return text.split('\n').filter((line) => line !== '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  readonly #has = (name: string): Promise<boolean> =>
    readFile(path.join(this.#folder, name)).then(
      () => true,
      () => false,
    )
}

/** Retries have growing delays of at most five minutes. */
const ASKED_MS = 320_000
