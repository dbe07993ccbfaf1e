import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const waitMs = 200

/**
 * Runs `work` while holding a lock file with our process id, so that concurrent starts do not
 * install or build over each other. The lock of a dead process is broken.
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

/**
 * Another process may have broken the same lock and already hold a new one; if so, that lock is
 * restored.
 */
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
    // An empty file is being written by its owner right now.
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
