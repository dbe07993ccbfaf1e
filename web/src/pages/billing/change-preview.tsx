import type { ChangePreview } from '@lodge/shared/billing/billing.ts'
import type {
  ChangeEffect,
  LimitEffect,
  PlanResource,
} from '@lodge/shared/billing/change-effects.ts'
import { formatMib } from '../../ui/data/numbers.ts'
import { describeCpu } from '../../ui/fields/size.ts'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { limitName, usedWords, valueWords } from '../limits/limit-words.ts'
import { InvoiceLines } from './invoice-lines.tsx'
import { dayText, moneyText } from './money-words.ts'
import { blockWords } from './own/block-words.ts'
import { t } from './words.ts'

/** What a change of plan costs, when it happens, and what it makes different. */
export function ChangePreviewParts({ preview }: { preview: ChangePreview }) {
  const { blocked, mode, lines, dueNow, currency, effectiveAt, nextAmount, nextAt } = preview
  const [block] = blocked
  if (block !== undefined) return <Text>{blockWords(block)}</Text>
  return (
    <Column gap={8}>
      {lines.length === 0 ? null : (
        <InvoiceLines lines={lines} currency={currency} total={dueNow} totalName={t.dueNow} />
      )}
      <Text>
        {mode === 'at_period_end'
          ? t.happensLater({ when: dayText(effectiveAt) })
          : dueNow > 0
            ? t.happensNow
            : t.happensAtOnce}
      </Text>
      {nextAt === null ? null : (
        <Text muted>
          {t.fromThen({ when: dayText(nextAt), amount: moneyText(nextAmount, currency) })}
        </Text>
      )}
      <Effects effects={preview.effects} />
    </Column>
  )
}

function Effects({ effects }: { effects: readonly ChangeEffect[] }) {
  if (effects.length === 0) return null
  const isOver = effects.some((effect) => effect.code === 'limit' && effect.over)
  return (
    <>
      <Text strong>{t.effects}</Text>
      <Column gap={4}>
        {effects.map((effect) => (
          <Text key={keyOf(effect)}>{effectWords(effect)}</Text>
        ))}
      </Column>
      {isOver ? <Note tone="warn">{t.effectsOver}</Note> : null}
    </>
  )
}

const keyOf = (effect: ChangeEffect): string =>
  effect.code === 'resource' ? effect.resource : effect.code === 'limit' ? effect.key : effect.code

const RESOURCES: Readonly<Record<PlanResource, () => string>> = {
  memoryMb: () => t.memory,
  cpuPercent: () => t.cpu,
  diskMb: () => t.disk,
  vcpus: () => t.vcpus,
}
const AMOUNTS: Readonly<Record<PlanResource, (amount: number) => string>> = {
  memoryMb: formatMib,
  cpuPercent: describeCpu,
  diskMb: formatMib,
  vcpus: String,
}

/** One effect in words; one that this version does not know is passed over. */
function effectWords(effect: ChangeEffect): string {
  if (effect.code === 'resource') {
    const { resource, from, to } = effect
    const words = AMOUNTS[resource]
    return t.effect({ name: RESOURCES[resource](), from: words(from), to: words(to) })
  }
  if (effect.code === 'limit') return limitWords(effect)
  if (effect.code === 'period')
    return t.effectPeriod({ from: dayText(effect.from), to: dayText(effect.to) })
  return effect.code === 'trial' ? t.effectTrial({ until: dayText(effect.until) }) : t.effectRestart
}

function limitWords({ key, from, to, used, over }: LimitEffect): string {
  const said = { name: limitName(key), from: valueWords(key, from), to: valueWords(key, to) }
  if (!over) return t.effect(said)
  if (key === 'maySchedules') return t.effectNoSchedules(said)
  return used === null
    ? t.effectOver(said)
    : t.effectOverBy({ ...said, used: usedWords(key, used) })
}
