import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { readRestoreVariables } from '../config.ts'
import { type Repository, readRecoveryKey } from '../domains/panel-backups/index.ts'

/** A required argument is missing or malformed. */
export class Usage extends Error {}

/** Parses a repository from the command line: a folder, or `s3:<endpoint>/<bucket>` as restic writes it. */
export function placeOf(text: string): Repository['location'] {
  if (!text.startsWith('s3:')) return { kind: 'folder', folder: path.resolve(text) }
  const { region, accessKeyId, secretAccessKey } = readRestoreVariables()
  const address = URL.parse(text.slice('s3:'.length))
  const [bucket, ...prefix] = address?.pathname.split('/').filter(Boolean) ?? []
  if (!address || bucket === undefined)
    throw new Usage(
      '--from names a bucket as s3:https://s3.example.com/bucket or .../bucket/folder',
    )
  return {
    kind: 's3',
    endpoint: address.origin,
    bucket,
    prefix: prefix.join('/'),
    region,
    accessKeyId: needed(accessKeyId, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed(secretAccessKey, 'AWS_SECRET_ACCESS_KEY'),
  }
}

function needed(value: string | undefined, variable: string): string {
  if (!value) throw new Usage(`A bucket needs the variable ${variable}`)
  return value
}

export async function recoveryKeyFrom(file: string | undefined): Promise<string> {
  const text = file
    ? await readFile(file, 'utf8')
    : (readRestoreVariables().recoveryKey ?? (await ask('Recovery key: ')))
  const key = readRecoveryKey(text)
  if (key) return key
  throw new Usage('A recovery key has eight groups of five letters and digits, such as 7K2QX-...')
}

/** Asks for a secret on the terminal, without echo. */
async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Usage('Name the recovery key: --recovery-key-file <file>, or LODGE_RECOVERY_KEY')
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() })
  // With `terminal: true`, readline switches off the terminal's echo and writes its own, here to nowhere.
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  return await terminal.question('').finally(() => {
    terminal.close()
    process.stderr.write('\n')
  })
}
