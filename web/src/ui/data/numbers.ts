import { formatBytes as format, MIB } from '@lodge/shared/units.ts'
import { locale } from '../locale/timestamps.ts'

/** A number with at most two decimals, in the reader's format: `1.5`, `1,5`. */
export const numberText = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  value.toLocaleString(locale(), { maximumFractionDigits: 2, useGrouping: false, ...options })

/** Binary units with at most one decimal, in the reader's format: `1.5 GiB`, `1,5 GiB`. */
export const formatBytes = (bytes: number): string => format(bytes, (value) => numberText(value))

export const formatMib = (mib: number): string => formatBytes(mib * MIB)
