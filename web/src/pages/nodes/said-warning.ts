import type { DriverWarning, DriverWarningCode } from '@lodge/shared/driver-warnings.ts'
import { saidReason } from '../../panel/said.ts'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { t } from './words.ts'

type Words = (values: DriverWarning['values']) => string

const copyNotEnded: Words = ({ server = '', since = '', why = '' }) =>
  t.warnCopy({ server, since: timestampText(since), why: saidReason(why) })

const WORDS: Readonly<Record<DriverWarningCode, Words>> = {
  no_seccomp: () => t.warnSeccomp,
  no_memory_limits: () => t.warnMemory,
  no_swap_limits: () => t.warnSwap,
  no_process_limits: () => t.warnProcesses,
  no_live_restore: () => t.warnLiveRestore,
  disks_measured: () => t.warnDisks,
  firewall: ({ why = '' }) => saidReason(why),
  no_cpu_limits: () => t.warnProcessors,
  copy_not_ended: (values) => copyNotEnded(values),
}

const isKnown = (code: string): code is DriverWarningCode => Object.hasOwn(WORDS, code)

/**
 * The warnings of an engine in the panel's language. An agent of an earlier release sends sentences,
 * and a later one may send unknown codes: those are shown as they are.
 */
export function saidWarnings(
  warnings: readonly DriverWarning<string>[],
  sentences: string,
): readonly string[] {
  const known = warnings.flatMap(({ code, values }) => (isKnown(code) ? [WORDS[code](values)] : []))
  if (known.length === warnings.length && known.length > 0) return known
  return sentences === '' ? [] : [sentences]
}
