import type { BrandingReport } from '@lodge/shared/branding.ts'
import { numberText } from '../../ui/data/numbers.ts'
import { FormSection } from '../../ui/form/section.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** Whether all text is readable in the chosen colours, and which colours were adjusted. */
export function Checks({ report }: { report: BrandingReport }) {
  const { contrast, warnings } = report
  const bad = contrast.filter(({ pass }) => !pass)
  const texts = contrast.filter(({ required }) => required === 4.5).map(({ ratio }) => ratio)
  return (
    <FormSection title={t.checks}>
      <Column gap={10}>
        {bad.length === 0 ? (
          <Note tone="ok">{t.checksGood({ count: contrast.length })}</Note>
        ) : (
          <Note tone="err">{t.checksBad({ count: bad.length })}</Note>
        )}
        {warnings.map((warning) => (
          <Note key={warning} tone="warn">
            {warning}
          </Note>
        ))}
        <Text small muted>
          {t.checksWorst({ ratio: numberText(Math.min(...texts), { minimumFractionDigits: 2 }) })}
        </Text>
      </Column>
    </FormSection>
  )
}
