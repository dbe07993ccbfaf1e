import {
  ALL_LIMIT_KEYS,
  isCapabilityKey,
  isListKey,
  isNumberKey,
  type LimitKey,
  type LimitLayer,
  unitOf,
} from '@lodge/shared/limits/keys.ts'
import { formatCpu } from '@lodge/shared/units.ts'
import { z } from 'zod'
import { parseCpu, parseMib, writeMib } from '../../ui/fields/size.ts'
import { t } from './words.ts'

/**
 * One layer of limits while it is edited: text by key. Empty is not set; numbers as people write them
 * (`4 GiB`, `150%`, `unlimited` in the panel's language or in English), `yes` and `no`, and lists
 * with one entry per line or `unlimited`.
 */
export type LimitDraft = Readonly<Record<LimitKey, string>>

const writeNumber = (key: LimitKey, value: number): string => {
  if (unitOf(key) === 'size' && value > 0) return writeMib(value)
  return unitOf(key) === 'cpu' ? formatCpu(value) : String(value)
}

function write(key: LimitKey, value: LimitLayer[LimitKey]): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return writeNumber(key, value)
  if (value !== 'unlimited') return value.join('\n')
  return isNumberKey(key) ? t.valueUnlimited : value
}

/** A list that is set but empty. */
export const NOTHING = '\n'

export const draftOf = (layer: LimitLayer): LimitDraft =>
  Object.fromEntries(
    ALL_LIMIT_KEYS.map((key) => {
      const value = layer[key]
      return [key, Array.isArray(value) && value.length === 0 ? NOTHING : write(key, value)]
    }),
  ) as LimitDraft

function readNumber(key: LimitKey, text: string): number | 'unlimited' | undefined {
  const typed = text.trim()
  if (['unlimited', t.valueUnlimited].includes(typed.toLowerCase())) return 'unlimited'
  if (/^0\D{0,4}$/.test(typed)) return 0
  if (unitOf(key) === 'size') return parseMib(typed)
  if (unitOf(key) === 'cpu') return parseCpu(typed)
  return /^\d{1,9}$/.test(typed) ? Number(typed) : undefined
}

/** The parsed value: null is not set, undefined is unreadable. */
export function readLimit(key: LimitKey, text: string): LimitLayer[LimitKey] | undefined {
  if (text === '') return null
  if (isCapabilityKey(key)) return text === 'yes'
  if (isListKey(key)) {
    return text === 'unlimited' ? text : text.split('\n').filter((name) => name !== '')
  }
  return text.trim() === '' ? null : readNumber(key, text)
}

/** Normalises typed text (`4g`: `4 GiB`); unreadable text stays as it is. */
export function normalLimit(key: LimitKey, text: string): string {
  const value = isNumberKey(key) ? readLimit(key, text) : undefined
  return value === undefined ? text : write(key, value)
}

const EXAMPLES = { size: '4 GiB', cpu: '150%', count: '10' } as const
const complaintOf = (key: LimitKey): string =>
  isNumberKey(key) ? t.unreadableNumber({ example: EXAMPLES[unitOf(key)] }) : t.unreadable

/** Reports each unreadable text. */
export const DraftSchema = z.object(
  Object.fromEntries(
    ALL_LIMIT_KEYS.map((key) => [
      key,
      z.string().refine((text) => readLimit(key, text) !== undefined, {
        error: () => complaintOf(key),
      }),
    ]),
  ),
)

/** The layer of a valid draft; keys that are not set are null, which clears them. */
export const layerOf = (draft: LimitDraft): LimitLayer =>
  Object.fromEntries(ALL_LIMIT_KEYS.map((key) => [key, readLimit(key, draft[key])])) as LimitLayer

/** Only the differences from the saved values, so that concurrent changes of other keys survive. */
export const changesOf = (draft: LimitDraft, saved: LimitDraft): LimitLayer =>
  Object.fromEntries(
    ALL_LIMIT_KEYS.filter((key) => draft[key] !== saved[key]).map((key) => [
      key,
      readLimit(key, draft[key]),
    ]),
  ) as LimitLayer

/** How many of these limits a layer sets. */
export const countSet = (draft: LimitDraft, keys: readonly LimitKey[]): number =>
  keys.filter((key) => draft[key] !== '').length

/** The limits that matter at a glance: what is set, was set, or has a complaint. */
export const setOrChanged = <K extends LimitKey>(
  keys: readonly K[],
  draft: LimitDraft,
  saved: LimitDraft,
  errors: Readonly<Record<string, string>>,
): readonly K[] =>
  keys.filter((key) => draft[key] !== '' || saved[key] !== '' || errors[key] !== undefined)
