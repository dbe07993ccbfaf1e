import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const waitMs = 200

/**
 * Runs `work` while holding a lock file that carries our process id, so that two starts at once do
 * not install or build over each other. The lock of a process that is gone is broken.
 */
export function withLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true })
  while (!take(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
  try {
    return work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = readHolder(file)
  if (!isAlive(holder)) breakLock(file, holder)
  return false
}

/** Another one may break it at the same moment and hold a new lock already: that one is put back. */
function breakLock(file, dead) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (readHolder(aside) !== dead) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
  rmSync(aside, { force: true })
}

function readHolder(file) {
  try {
    // An empty file is one that its owner is just writing.
    return Number(readFileSync(file, 'utf8')) || process.pid
  } catch {
    return process.pid
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
