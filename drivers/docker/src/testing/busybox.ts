import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { openEngine } from '../engine/client.ts'
import { importRootTar } from '../images/import.ts'

export const BUSYBOX = 'lodge-test/busybox:1'

/** Packs /bin/busybox and its applet links as a tar file of a root file system. */
export async function makeBusyboxTar(file: string): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'lodge-busybox-'))
  try {
    for (const name of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev', 'root', 'data'])
      await mkdir(join(root, name))
    await cp('/bin/busybox', join(root, 'bin/busybox'))
    const { output } = await runProgram('/bin/busybox', ['--list'])
    for (const name of output.split('\n').map((line) => line.trim())) {
      if (/^[a-z0-9_.[-]+$/.test(name) && name !== 'busybox')
        await symlink('busybox', join(root, 'bin', name))
    }
    const { code, output: why } = await runProgram('tar', ['-C', root, '-cf', file, '.'])
    if (code !== 0) throw new Error(`tar failed: ${why}`)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Imports an image called `BUSYBOX` with a static busybox and nothing else. */
export async function importBusybox(socketPath: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lodge-busybox-'))
  try {
    const file = join(folder, 'root.tar')
    await makeBusyboxTar(file)
    const signal = AbortSignal.timeout(60_000)
    await importRootTar(openEngine(socketPath), file, {
      tag: BUSYBOX,
      changes: ['CMD ["/bin/sh"]'],
      signal,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
