import type { PortProtocol } from '@lodge/shared/servers.ts'
import { wordOf } from '../../../../ui/data/known.ts'
import type { Choice } from '../../../../ui/fields/field-props.ts'
import { t } from './words.ts'

const WORDS: Readonly<Record<PortProtocol, () => string>> = {
  both: () => t.both,
  tcp: () => t.tcp,
  udp: () => t.udp,
}

export const protocolWord = (protocol: PortProtocol): string => wordOf(WORDS, protocol)

export const protocols = (): readonly Choice[] =>
  (['both', 'tcp', 'udp'] as const).map((value) => ({ value, label: protocolWord(value) }))
