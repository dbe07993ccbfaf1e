import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { until } from '../../support/until.ts'

const QEMU = '/usr/bin/qemu-system-x86_64'

/**
 * A complete system: writes `@` to port 0xe9 when it starts, then every key as the BIOS reports it
 * (character and scan code), and prints the character on the screen.
 */
const SYSTEM = Buffer.from([
  ...[0xb0, 0x40, 0xe6, 0xe9], // mov al,'@'; out 0xe9,al
  ...[0xb4, 0x10, 0xcd, 0x16], // again: mov ah,10h; int 16h: waits for a key
  ...[0xe6, 0xe9, 0x86, 0xe0, 0xe6, 0xe9, 0x86, 0xe0], // out 0xe9,al; then ah
  ...[0xb4, 0x0e, 0xbb, 0x07, 0x00, 0xcd, 0x10], // mov ah,0eh; mov bx,7; int 10h: prints it
  ...[0xeb, 0xeb], // jmp again
])
const DISK_BYTES = 1_048_576

/** An emulated guest that has a screen and reports the keys it receives. */
export interface Guest extends AsyncDisposable {
  /** A new connection to its screen. */
  screen(): net.Socket
  /** What it received since its start: `@` at each boot, then character and scan code of each key. */
  heard(): Promise<Buffer>
}

export async function startGuest(): Promise<Guest> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-screen-'))
  const file = (name: string): string => path.join(folder, name)
  const disk = Buffer.alloc(DISK_BYTES)
  SYSTEM.copy(disk)
  disk.writeUInt16LE(0xaa55, 510)
  await writeFile(file('disk'), disk)
  const program: ChildProcess = spawn(
    QEMU,
    [
      ...['-nodefaults', '-accel', 'tcg', '-m', '64', '-vga', 'std'],
      ...['-drive', `file=${file('disk')},format=raw,if=ide`],
      ...['-debugcon', `file:${file('heard')}`],
      ...['-vnc', `unix:${file('vnc')}`],
    ],
    { stdio: 'ignore' },
  )
  await until(() => existsSync(file('vnc')))
  return {
    screen: () => net.connect(file('vnc')),
    heard: () => readFile(file('heard')),
    async [Symbol.asyncDispose]() {
      program.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
