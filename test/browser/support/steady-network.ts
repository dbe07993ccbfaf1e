import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ownMounts } from '../../support/own-mounts.ts'

/** Architecture numbers of Linux for Debian's Chromium: seccomp(2). */
const ARCHITECTURES: Record<string, { audit: number; socket: number } | undefined> = {
  x64: { audit: 0xc000003e, socket: 41 },
  arm64: { audit: 0xc00000b7, socket: 198 },
}
const AF_NETLINK = 16
const EAFNOSUPPORT = 97
const SECCOMP_RET_ALLOW = 0x7fff0000
const SECCOMP_RET_ERRNO = 0x00050000
/** Offsets in `struct seccomp_data`. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

/**
 * `struct sock_filter`: the operation, the number of instructions to skip if true and if false, and
 * an operand.
 */
function instruction(code: number, isTrue: number, isFalse: number, operand: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(isTrue, 2)
  bytes.writeUInt8(isFalse, 3)
  bytes.writeUInt32LE(operand, 4)
  return bytes
}
const load = (offset: number) => instruction(0x20, 0, 0, offset)
const unlessEqual = (value: number, skip: number) => instruction(0x15, 0, skip, value)
const answer = (action: number) => instruction(0x06, 0, 0, action)

/** As one word of a shell; no word contains a single quote. */
const quoted = (word: string) => `'${word}'`

/**
 * A program that runs Chromium without netlink sockets, so that it does not notice the interfaces
 * that concurrent tests add and remove, which would abort every request with ERR_NETWORK_CHANGED.
 */
export function withSteadyNetwork(chromium: string): string {
  const numbers = ARCHITECTURES[process.arch]
  if (!numbers) return chromium
  const folder = path.join(os.tmpdir(), `lodge-chromium-${process.pid}`)
  const filter = path.join(folder, 'filter')
  const program = path.join(folder, path.basename(chromium))
  if (mkdirSync(folder, { recursive: true }))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    filter,
    Buffer.concat([
      ...[load(ARCHITECTURE), unlessEqual(numbers.audit, 5)],
      ...[load(NUMBER), unlessEqual(numbers.socket, 3)],
      ...[load(FIRST_ARGUMENT), unlessEqual(AF_NETLINK, 1)],
      ...[answer(SECCOMP_RET_ERRNO | EAFNOSUPPORT), answer(SECCOMP_RET_ALLOW)],
    ]),
  )
  const filtered = ['bwrap', '--dev-bind', '/', '/', '--seccomp', '9', '--', chromium]
  // Bubblewrap copies all mounts; users other than root cannot have a mount namespace of their own
  // before that.
  const whole = process.getuid?.() === 0 ? ['unshare', ...ownMounts(...filtered)] : filtered
  writeFileSync(program, `#!/bin/sh\nexec ${whole.map(quoted).join(' ')} "$@" 9< ${filter}\n`)
  chmodSync(program, 0o755)
  return program
}
