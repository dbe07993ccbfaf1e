import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../query.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { Output } from '../../ui/panes/output.tsx'
import { t } from './words.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'

const levels = () => [
  { value: 'debug', label: t.levelAll },
  { value: 'info', label: t.levelInfo },
  { value: 'warn', label: t.levelWarn },
  { value: 'error', label: t.levelError },
]

/** The plugin's recent log. */
export function LogCard({ id }: { id: string }) {
  const [level, setLevel] = useState<Level>('debug')
  const log = useQuery({
    ...q('GET /api/plugins/{plugin}/logs', { params: { plugin: id }, query: { level } }),
    refetchInterval: 5_000,
  })
  return (
    <Card
      title={t.log}
      actions={
        <SelectField
          bare
          label={t.logLevel}
          choices={levels()}
          value={level}
          onChange={(next) => setLevel(next as Level)}
        />
      }
    >
      <Loaded query={log} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Text muted>{t.emptyLog}</Text>
          ) : (
            <Output
              label={t.log}
              text={items
                .map(
                  ({ at, level, text }) => `${at.slice(0, 19).replace('T', ' ')} ${level} ${text}`,
                )
                .join('\n')}
              most={420}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
