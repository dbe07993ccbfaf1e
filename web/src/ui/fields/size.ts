import { formatCpu, MIB_UNITS } from '@lodge/shared/units.ts'
import { readDecimal } from '../locale/decimals.ts'
import { names } from './names.ts'

/**
 * Parses and formats the sizes people type: `4g`, `4096`, `1.5 GiB`, `1.500 MiB` in German; `200%`,
 * `2 cores`.
 */

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1 / 1024,
  kb: 1 / 1024,
  kib: 1 / 1024,
  m: 1,
  mb: 1,
  mib: 1,
  g: 1024,
  gb: 1024,
  gib: 1024,
  t: 1_048_576,
  tb: 1_048_576,
  tib: 1_048_576,
}

/** MiB of a typed size; a bare number is MiB. undefined when unreadable. */
export function parseMib(text: string): number | undefined {
  const [, number = '', unit = '?'] = /^(.*?)([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = FACTORS[unit.toLowerCase()]
  if (factor === undefined) return undefined
  const mib = Math.round(readDecimal(number) * factor)
  return mib >= 1 ? mib : undefined
}

const ENGLISH_CORES = ['c', 'core', 'cores']
/** Whether a typed unit means cores, in the panel's language or in English. */
const isCores = (unit: string): boolean =>
  [...ENGLISH_CORES, ...names.coreWords.split(' ')].includes(unit.toLowerCase())

/** Percent of one core of a typed amount: `150`, `150%`, `1.5 cores`, `2c`. undefined when unreadable. */
export function parseCpu(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(.*?)(%|\p{L}*)$/u.exec(text.trim()) ?? []
  const inCores = isCores(unit)
  if (!(inCores || ['', '%'].includes(unit))) return undefined
  const amount = readDecimal(number)
  const percent = Math.round(inCores ? amount * 100 : amount)
  return percent >= 1 ? percent : undefined
}

/** The shortest exact way to type a size: `4 GiB`, `1536 MiB`. */
export function writeMib(mib: number): string {
  const [factor, name] = MIB_UNITS.find(([factor]) => mib >= factor && mib % factor === 0) ?? [
    1,
    'MiB',
  ]
  return `${mib / factor} ${name}`
}

/** A size in the unit that was typed, if exact: `at most 16 TiB` in response to `999 TiB`. */
export function writeMibLike(text: string, mib: number): string {
  const typed = FACTORS[/[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '?']
  const unit = MIB_UNITS.find(([factor]) => factor === typed)
  return unit && mib % unit[0] === 0 ? `${mib / unit[0]} ${unit[1]}` : writeMib(mib)
}

/** A processor amount in the unit that was typed: cores or percent of one. */
export const writeCpuLike = (text: string, percent: number): string =>
  isCores(/\p{L}+/u.exec(text)?.[0] ?? '') ? writeCores(percent) : formatCpu(percent)

/** A processor amount in cores: `1.5 cores`. */
export const writeCores = (percent: number): string =>
  names.cores({ cores: Math.round(percent) / 100 })

/** `150% (1.5 cores)`. */
export const describeCpu = (percent: number): string =>
  names.cpu({ percent: formatCpu(percent), cores: writeCores(percent) })

/** An amount for a summary: undefined if unreadable. */
export const readable = (amount: number | undefined): number | undefined =>
  Number.isNaN(amount) ? undefined : amount
