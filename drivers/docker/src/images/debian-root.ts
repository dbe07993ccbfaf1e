import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { logLines } from '../output/log-lines.ts'
import { aptSources } from './apt-sources.ts'

const BUILD_DEADLINE_MS = 1_800_000
const RESOLVERS = '/etc/resolv.conf'

/**
 * Builds a root file system of the suite in a folder below `work`; returns its path. With `above`,
 * packages are added to that base system, and its outdated ones upgraded; without, it is a base
 * system.
 */
export type MakeRoot = (work: string, above?: Above) => Promise<string>

export interface Above {
  /** The tar file of the base system. */
  readonly baseTar: string
  readonly packages: readonly string[]
}

/**
 * Builds root file systems from the machine's own mirrors. Throws `image_unavailable` with the last
 * errors of the package tools.
 */
export function debianRoots(suite: string, onProgress: OnProgress, signal: AbortSignal): MakeRoot {
  return async (work, above) => {
    const root = join(work, 'root')
    const progress = progressOf(onProgress)
    const sources = await aptSources(suite)
    const { code, output } = await runProgram(
      'mmdebstrap',
      [
        '--mode=root',
        '--format=directory',
        ...(above ? await continuing(work, above, sources) : ['--variant=minbase']),
        '--aptopt=Acquire::Languages "none"',
        '--aptopt=APT::Install-Recommends "false"',
        '--dpkgopt=force-unsafe-io',
        '--dpkgopt=path-exclude=/usr/share/doc/*',
        '--dpkgopt=path-exclude=/usr/share/man/*',
        '--dpkgopt=path-exclude=/usr/share/locale/*',
        '--verbose',
        suite,
        root,
        ...sources,
      ],
      {
        signal,
        deadlineMs: BUILD_DEADLINE_MS,
        environment: { TMPDIR: work, DEBIAN_FRONTEND: 'noninteractive' },
        onLine: progress.line,
      },
    )
    progress.flush()
    if (code === 0) return root
    throw new DriverError(
      'image_unavailable',
      `The Debian image could not be made: ${lastWords(output)}`,
      { retryable: true },
    )
  }
}

/**
 * Options that install packages on top of a base system. Its package sources and name servers are
 * replaced: those of this machine may have changed since.
 */
async function continuing(
  work: string,
  { baseTar, packages }: Above,
  sources: readonly string[],
): Promise<string[]> {
  const list = join(work, 'sources.list')
  await writeFile(list, sources.map((line) => `${line}\n`).join(''))
  return [
    '--variant=custom',
    `--setup-hook=tar-in ${quoted(baseTar)} /`,
    ...(existsSync(RESOLVERS) ? [`--setup-hook=upload ${RESOLVERS} ${RESOLVERS}`] : []),
    `--setup-hook=upload ${quoted(list)} /etc/apt/sources.list`,
    `--include=${packages.join(',')}`,
    '--include=?upgradable',
  ]
}

/** A path as one word of the tool's own commands, which no shell reads. */
const quoted = (path: string): string => `'${path.replaceAll("'", `'"'"'`)}'`

/**
 * Deletes a build folder, unless something in it is still mounted: deletion would cross into the
 * mount.
 */
export async function removeBuild(work: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((target) => target.startsWith(`${work}/`))
    .sort((a, b) => b.length - a.length)
  for (const target of mounts) {
    const { code } = await runProgram('umount', ['--', target])
    if (code !== 0) return
  }
  await runProgram('rm', ['-rf', '--one-file-system', '--', work], { deadlineMs: 120_000 })
}

/** Progress as a share of the usual build time; never decreases. */
function progressOf(onProgress: OnProgress) {
  let packages = 0
  let handled = 0
  let latest = { percent: 0, detail: 'Creating the image' }
  const lines = logLines((told) => onProgress({ step: 'image', ...latest, logLines: told }))
  const tell = (percent: number, detail: string) => {
    if (percent <= latest.percent) return
    latest = { percent, detail: detail.slice(0, 120) }
    onProgress({ step: 'image', ...latest })
  }
  return {
    flush: lines.flush,
    line(line: string) {
      lines.add([line])
      if (/^(Get:\d+|Reading package lists)/.test(line)) tell(5, 'Reading package lists')
      packages = Math.max(packages, Number(/(\d+) newly installed/.exec(line)?.[1] ?? 0))
      if (/^(?:Unpacking|Setting up) /.test(line)) {
        handled += 1
        const share = packages > 0 ? handled / (packages * 2) : 0.5
        tell(Math.min(85, 10 + Math.floor(share * 75)), line)
      }
    },
  }
}

function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => /^(E|W|I):|error/i.test(line))
  return (
    lines
      .filter((line) => !line.startsWith('I:'))
      .slice(-3)
      .join(' ')
      .slice(0, 500) || 'mmdebstrap failed'
  )
}
