import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { ImageSource } from '@lodge/shared/container-spec.ts'
import type { Engine } from '../client.ts'
import type { Settings } from '../options.ts'
import { aptSources } from './apt-sources.ts'
import { importRootTar } from './import.ts'
import { holdingLock } from './lock.ts'

export type DebianSource = Extract<ImageSource, { kind: 'debian' }>

/** Changes whenever the same packages should give another image. */
const RECIPE = 1
const BUILD_DEADLINE_MS = 1_800_000
const CHANGES = [
  'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games',
  'ENV LANG=C.UTF-8',
  'CMD ["/bin/sh"]',
]

export function debianTag(source: DebianSource): string {
  const recipe = JSON.stringify([RECIPE, source.suite, [...source.packages].sort(), process.arch])
  return `lodge/debian:${createHash('sha256').update(recipe).digest('hex').slice(0, 32)}`
}

/**
 * Makes an image from Debian packages, from the mirrors that this machine uses itself. Processes of one
 * machine take turns and the second finds the work done when they share a cache folder. Throws
 * `image_unavailable` with the end of the package tools' words.
 */
export async function buildDebianImage(
  engine: Engine,
  settings: Settings,
  source: DebianSource,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const tag = debianTag(source)
  const folder = settings.imageCacheFolder ?? join(settings.dataRoot, 'images')
  const file = join(folder, `${tag.slice(tag.indexOf(':') + 1)}.tar`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await holdingLock(`${file}.lock`, signal, async () => {
    if (!(await isFile(file))) await makeRootTar(source, file, folder, onProgress, signal)
    onProgress({ step: 'image', percent: 95, detail: 'Handing the image to Docker' })
    await importRootTar(engine, file, { tag, changes: CHANGES, signal })
    if (settings.imageCacheFolder === undefined) await rm(file, { force: true })
  })
}

async function makeRootTar(
  source: DebianSource,
  file: string,
  folder: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const work = await mkdtemp(join(folder, 'build-'))
  try {
    const fresh = join(work, 'root.tar')
    const packages = source.packages.length > 0 ? [`--include=${source.packages.join(',')}`] : []
    const { code, output } = await runProgram(
      'mmdebstrap',
      [
        '--mode=root',
        '--variant=minbase',
        ...packages,
        '--aptopt=Acquire::Languages "none"',
        '--aptopt=APT::Install-Recommends "false"',
        '--dpkgopt=force-unsafe-io',
        '--dpkgopt=path-exclude=/usr/share/doc/*',
        '--dpkgopt=path-exclude=/usr/share/man/*',
        '--dpkgopt=path-exclude=/usr/share/locale/*',
        '--verbose',
        source.suite,
        fresh,
        ...(await aptSources(source.suite)),
      ],
      {
        signal,
        deadlineMs: BUILD_DEADLINE_MS,
        environment: { TMPDIR: work, DEBIAN_FRONTEND: 'noninteractive' },
        onLine: progressOf(onProgress),
      },
    )
    if (code !== 0) {
      throw new DriverError(
        'image_unavailable',
        `The Debian image could not be made: ${lastWords(output)}`,
        {
          retryable: true,
        },
      )
    }
    await rename(fresh, file)
  } finally {
    await removeBuild(work)
  }
}

/** Nothing below a folder is deleted while something is still mounted there. */
async function removeBuild(work: string): Promise<void> {
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

/** Percentages are shares of the time that a build usually takes; they never go back. */
function progressOf(onProgress: OnProgress): (line: string) => void {
  let packages = 0
  let handled = 0
  let percent = -1
  const tell = (share: number, detail: string) => {
    if (share <= percent) return
    percent = share
    onProgress({ step: 'image', percent, detail: detail.slice(0, 120) })
  }
  return (line) => {
    if (/^(Get:\d+|Reading package lists)/.test(line)) tell(5, 'Reading package lists')
    packages = Math.max(packages, Number(/(\d+) newly installed/.exec(line)?.[1] ?? 0))
    if (/^(?:Unpacking|Setting up) /.test(line)) {
      handled += 1
      const share = packages > 0 ? handled / (packages * 2) : 0.5
      tell(Math.min(85, 10 + Math.floor(share * 75)), line)
    }
    if (line.startsWith('I: creating tarball')) tell(88, 'Packing the image')
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

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  )
}
