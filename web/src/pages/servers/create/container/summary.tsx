import { formatMib } from '../../../../ui/data/numbers.ts'
import { readable } from '../../../../ui/fields/size.ts'
import { TemplateIcon } from '../../../../ui/icons/template-icon.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Facts } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { Chosen } from '../chosen.tsx'
import { t } from '../words.ts'
import { freeMemoryMb, type Node, placementOf, type Template, type Values } from './values.ts'

interface SummaryProps {
  values: Values
  template: Template | undefined
  nodes: readonly Node[]
}

/** What is created and where; shows what is left there instead of repeating the figures. */
export function Summary({ values, template, nodes }: SummaryProps) {
  const node = placementOf(values, nodes)
  const memoryMb = readable(values.memoryMb) ?? 0
  return (
    <Column gap={12}>
      {template ? (
        <Chosen
          icon={<TemplateIcon icon={template.icon} name={template.name} />}
          what={template.name}
          name={values.name}
        />
      ) : null}
      {node ? (
        <Facts
          rows={[
            [t.runsOn, t.nodeAndLocation({ node: node.name, location: node.location })],
            [t.chosen, values.nodeId === '' ? t.forYou : t.byYou],
            [
              t.memoryLeft,
              t.leftOf({
                left: formatMib(Math.max(0, freeMemoryMb(node) - memoryMb)),
                total: formatMib(node.memoryMb),
              }),
            ],
          ]}
        />
      ) : (
        <Note tone="warn">{t.noRoomNote}</Note>
      )}
    </Column>
  )
}
