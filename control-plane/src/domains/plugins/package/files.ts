import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import type { Files } from './tar.ts'

const Packed = z.record(z.string(), z.base64())

/** The files of a package as the database stores them. */
export async function pack(files: Files): Promise<Buffer> {
  const entries = [...files].map(([name, content]) => [name, content.toString('base64')])
  return promisify(gzip)(JSON.stringify(Object.fromEntries(entries)))
}

export async function unpack(packed: Buffer): Promise<Files> {
  const all = Packed.parse(JSON.parse((await promisify(gunzip)(packed)).toString('utf8')))
  return new Map(
    Object.entries(all).map(([name, content]) => [name, Buffer.from(content, 'base64')]),
  )
}

/** Writes files into a folder, which appears only once it is complete. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  const unfinished = `${folder}.${randomUUID()}`
  for (const [name, content] of files) {
    const file = path.join(unfinished, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true })
    // Another instance on the same folder was faster.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

/** All files of a folder. */
export async function readFiles(folder: string): Promise<Files> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      files
        .filter((file) => !/\.test\.ts$/.test(file))
        .map(async (file) => [path.relative(folder, file), await readFile(file)] as const),
    ),
  )
}
