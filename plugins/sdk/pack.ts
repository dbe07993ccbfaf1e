import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

// For publishers: packs a folder and signs it.
//   npm run plugin -- pack <folder> [--key <file>] [--out <file>]

const BLOCK = 512
const SIGNATURE_FILE = 'lodge-plugin.sig.json'

type Files = Readonly<Record<string, string | Buffer>>

/** Packs these files, signed if a key is given. @param key Ed25519 private key, PEM */
export function packFiles(files: Files, key?: string): Buffer {
  const all = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const)
  const signed = key === undefined ? [] : [[SIGNATURE_FILE, signatureOf(all, key)] as const]
  const entries = [...all, ...signed].flatMap(([name, content]) => [
    headerOf(`package/${name}`, content.length),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ])
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]))
}

/** The public key of a private one, in the format of `LODGE_PLUGIN_KEYS`. */
export function publicKeyOf(key: string): string {
  const { x = '' } = createPublicKey(createPrivateKey(key)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

/** A new signing key, PEM. */
export const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Signs bytes, in base64. */
export const signText = (text: string | Buffer, key: string): string =>
  sign(null, Buffer.from(text), createPrivateKey(key)).toString('base64')

function signatureOf(files: readonly (readonly [string, Buffer])[], key: string): Buffer {
  const lines = files.map(
    ([name, content]) => `${createHash('sha512').update(content).digest('hex')}  ${name}`,
  )
  const text = `lodge-plugin 1\n${lines.toSorted().join('\n')}\n`
  return Buffer.from(JSON.stringify({ key: publicKeyOf(key), signature: signText(text, key) }))
}

/** A header of a tar archive (ustar). */
export function headerOf(name: string, size: number, type = '0'): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name.slice(0, 100), 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Excludes tests, and hidden files of editors and file managers. */
const NOT_PACKED = /(^|\/)\.|\.test\.[cm]?[jt]s$/

function filesIn(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter(
    (name) => statSync(path.join(folder, name)).isFile() && !NOT_PACKED.test(name),
  )
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(folder, name))]))
}

/** @throws with a sentence that says what to do */
export function packFolder([folder, ...options]: readonly string[]): void {
  const optionOf = (name: string) =>
    options.includes(name) ? options[options.indexOf(name) + 1] : undefined
  if (folder === undefined || !existsSync(path.join(folder, 'lodge-plugin.json')))
    throw new Error('Name the folder of a plugin, which has a lodge-plugin.json')
  const keyFile = optionOf('--key')
  if (keyFile !== undefined && !existsSync(keyFile))
    writeFileSync(keyFile, newKey(), { mode: 0o600 })
  const key = keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8')
  const out = optionOf('--out') ?? `${path.basename(path.resolve(folder))}.tgz`
  writeFileSync(out, packFiles(filesIn(folder), key))
  process.stdout.write(`${out}\n`)
  if (key !== undefined) process.stdout.write(`Public key: ${publicKeyOf(key)}\n`)
}
