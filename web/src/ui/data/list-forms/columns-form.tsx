import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { Button, IconButton } from '../../buttons/button.tsx'
import { Tick } from '../../choices/tick.tsx'
import { Column, Row } from '../../page/layout.tsx'
import { type Arranged, moved } from '../column.ts'
import { t } from './words.ts'

const STEP = 24
const LEAST = 48
const MOST = 1200
/** Approximate width of a column without one of its own. */
const USUAL = 144

interface ColumnsFormProps {
  arranged: readonly Arranged<unknown>[]
  onArrange: (arranged: readonly Arranged<unknown>[]) => void
  onReset: () => void
}

/** Every column with its checkbox, position and width; operable by keyboard. */
export default function ColumnsForm({ arranged, onArrange, onReset }: ColumnsFormProps) {
  const change = (id: string, next: (one: Arranged<unknown>) => Arranged<unknown>): void =>
    onArrange(arranged.map((one) => (one.id === id ? next(one) : one)))
  const resize = (id: string, by: number): void =>
    change(id, ({ column, ...rest }) => {
      const width = Math.min(MOST, Math.max(LEAST, (column.width ?? USUAL) + by))
      return { ...rest, column: { ...column, width } }
    })
  return (
    <Column gap={8}>
      {arranged
        .filter(({ column }) => column.role !== 'acts')
        .map(({ id, column, shown }) => {
          const { header, role } = column
          const up = moved(arranged, id, -1)
          const down = moved(arranged, id, 1)
          return (
            <Row key={id} between nowrap>
              <Tick
                label={header}
                checked={shown}
                disabledBecause={role === 'title' ? t.alwaysShown : undefined}
                onChange={(checked) => change(id, (one) => ({ ...one, shown: checked }))}
              />
              <Row gap={2} nowrap>
                <IconButton
                  label={t.narrower({ column: header })}
                  size="small"
                  onClick={() => resize(id, -STEP)}
                >
                  <Minus />
                </IconButton>
                <IconButton
                  label={t.wider({ column: header })}
                  size="small"
                  onClick={() => resize(id, STEP)}
                >
                  <Plus />
                </IconButton>
                <IconButton
                  label={t.toLeft({ column: header })}
                  size="small"
                  disabledBecause={up ? undefined : t.isLeftmost({ column: header })}
                  onClick={() => up && onArrange(up)}
                >
                  <ArrowUp />
                </IconButton>
                <IconButton
                  label={t.toRight({ column: header })}
                  size="small"
                  disabledBecause={down ? undefined : t.isRightmost({ column: header })}
                  onClick={() => down && onArrange(down)}
                >
                  <ArrowDown />
                </IconButton>
              </Row>
            </Row>
          )
        })}
      <Button size="small" kind="quiet" onClick={onReset}>
        {t.resetColumns}
      </Button>
    </Column>
  )
}
