import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Said {
  readonly ok: boolean
  readonly output: string
}

/** A machine with OpenSSH's own programs: a folder, a key and no known hosts. */
export class Machine implements AsyncDisposable {
  readonly folder: string
  readonly #host: string
  readonly #port: () => number

  private constructor(folder: string, host: string, port: () => number) {
    this.folder = folder
    this.#host = host
    this.#port = port
  }

  static async open(port: () => number, host = '127.0.0.1'): Promise<Machine> {
    const machine = new Machine(await mkdtemp(path.join(os.tmpdir(), 'lodge-sftp-')), host, port)
    await machine.makeKey('id', ['-t', 'ed25519'])
    return machine
  }

  at = (name: string): string => path.join(this.folder, name)

  async makeKey(name: string, type: readonly string[]): Promise<void> {
    await run('ssh-keygen', ['-q', '-N', '', '-C', 'test', '-f', this.at(name), ...type])
  }

  #options({ key = 'id', password }: Proof): string[] {
    const given = {
      StrictHostKeyChecking: 'no',
      UserKnownHostsFile: this.at('known_hosts'),
      IdentitiesOnly: 'yes',
      IdentityAgent: 'none',
      NumberOfPasswordPrompts: '1',
      LogLevel: 'ERROR',
      ...(password === undefined
        ? { IdentityFile: this.at(key), PasswordAuthentication: 'no' }
        : { PubkeyAuthentication: 'no' }),
    }
    return Object.entries(given).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  }

  async #environment({ password }: Proof): Promise<NodeJS.ProcessEnv> {
    if (password === undefined) return process.env
    const ask = this.at('ask')
    await writeFile(ask, '#!/bin/sh\nprintf "%s\\n" "$SFTP_PASSWORD"\n')
    await chmod(ask, 0o700)
    return {
      ...process.env,
      ...{ SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force', SFTP_PASSWORD: password },
    }
  }

  /** Starts one of OpenSSH's programs. */
  async start(program: string, proof: Proof, rest: readonly string[]): Promise<ChildProcess> {
    const port = [program === 'ssh' ? '-p' : '-P', String(this.#port())]
    return spawn(program, [...this.#options(proof), ...port, ...rest], {
      cwd: this.folder,
      env: await this.#environment(proof),
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 60_000,
    })
  }

  /** Runs a program to its end. */
  async run(program: string, proof: Proof, rest: readonly string[], input = ''): Promise<Said> {
    const child = await this.start(program, proof, rest)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        output += part.toString()
      })
    child.stdin?.on('error', () => undefined).end(input)
    return new Promise((resolve) =>
      child.once('close', (code) => resolve({ ok: code === 0, output })),
    )
  }

  /** Runs commands of `sftp`, until the first that fails. */
  sftp(userName: string, commands: readonly string[], proof: Proof = {}): Promise<Said> {
    // OpenSSH uses the first value of an option, and a batch sets one that forbids asking for the
    // password.
    const rest = ['-o', 'BatchMode=no', '-b', '-', `${userName}@${this.#host}`]
    return this.run('sftp', proof, rest, `${commands.join('\n')}\n`)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}

export interface Proof {
  /** Name of the private key; `id` unless there is a password. */
  readonly key?: string
  readonly password?: string
}
