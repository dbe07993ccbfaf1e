import { readable } from '../../../../ui/fields/size.ts'
import { Facts } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import type { OwnValues } from './own-values.ts'
import type { Options } from './quota.ts'
import { PARTS, QuotaMeters } from './quota-meters.tsx'

/** A summary of the form, and what it leaves of the limits. */
export function OwnSummary({ values, options }: { values: OwnValues; options: Options }) {
  const template = options.templates.find(({ id }) => id === values.templateId)
  const sizes = PARTS.map(([part, label, write]): readonly [string, string] => {
    const size = readable(values[part])
    return [label, size === undefined ? '–' : write(size)]
  })
  return (
    <Column gap={12}>
      <Facts
        rows={[
          ['Template', template?.name ?? '–'],
          ['Name', values.name === '' ? '–' : values.name],
          ...sizes,
        ]}
      />
      <QuotaMeters limits={options.limits} sizes={values} />
    </Column>
  )
}
