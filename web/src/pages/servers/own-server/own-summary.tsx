import { formatMib } from '@lodge/shared/units.ts'
import { Facts } from '../../../ui/card.tsx'
import { Column } from '../../../ui/layout.tsx'
import { Meter } from '../../../ui/meter.tsx'
import type { OwnValues } from './own-values.ts'
import { type Options, type Part, useOf } from './room.ts'

const PARTS: readonly (readonly [Part, string, (amount: number) => string])[] = [
  ['memoryMb', 'Memory', formatMib],
  ['cpuPercent', 'CPU', (percent) => `${percent} %`],
  ['diskMb', 'Disk', formatMib],
]

/** What the form comes to, and what it leaves of the limits. */
export function OwnSummary({ values, options }: { values: OwnValues; options: Options }) {
  const template = options.templates.find(({ id }) => id === values.templateId)
  const sizes = PARTS.map(([part, label, write]): readonly [string, string] => {
    const size = values[part]
    return [label, size === undefined ? '–' : write(size)]
  })
  const servers = useOf(options.limits, 'servers')
  return (
    <Column gap={12}>
      <Facts
        rows={[
          ['Template', template?.name ?? '–'],
          ['Name', values.name === '' ? '–' : values.name],
          ...sizes,
        ]}
      />
      {servers ? (
        <Meter
          label="Your servers"
          value={servers.used + 1}
          of={servers.of}
          text={`${servers.used} → ${servers.used + 1} of ${servers.of}`}
          compact
        />
      ) : null}
      {PARTS.map(([part, label, write]) => {
        const use = useOf(options.limits, part)
        const after = (use?.used ?? 0) + (values[part] ?? 0)
        return use ? (
          <Meter
            key={part}
            label={`Your ${label === 'CPU' ? label : label.toLowerCase()}`}
            value={after}
            of={use.of}
            text={`${write(use.used)} → ${write(after)} of ${write(use.of)}`}
            compact
          />
        ) : null
      })}
    </Column>
  )
}
