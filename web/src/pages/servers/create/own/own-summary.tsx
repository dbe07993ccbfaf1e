import { readable } from '../../../../ui/fields/size.ts'
import { TemplateIcon } from '../../../../ui/icons/template-icon.tsx'
import { Facts } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { Chosen } from '../chosen.tsx'
import { t } from '../words.ts'
import type { OwnValues } from './own-values.ts'
import { type Options, useOf } from './quota.ts'
import { parts, QuotaMeters } from './quota-meters.tsx'

/** What is created and what is left of the limits; a size with a limit appears only in its bar. */
export function OwnSummary({ values, options }: { values: OwnValues; options: Options }) {
  const template = options.templates.find(({ id }) => id === values.templateId)
  const unlimited = parts().filter(({ part }) => useOf(options.limits, part) === undefined)
  const sizes = unlimited.map(({ part, label, write }): readonly [string, string] => {
    const size = readable(values[part])
    return [label, size === undefined ? t.notSet : write(size)]
  })
  return (
    <Column gap={12}>
      {template ? (
        <Chosen
          icon={<TemplateIcon icon={template.icon} name={template.name} />}
          what={template.name}
          name={values.name}
        />
      ) : null}
      <Facts
        rows={[[t.location, values.location === '' ? t.anywhere : values.location], ...sizes]}
      />
      <QuotaMeters limits={options.limits} sizes={values} />
    </Column>
  )
}
