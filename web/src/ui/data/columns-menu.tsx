import Columns3 from 'lucide-react/icons/columns-3'
import { useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { Floating } from '../floating/floating.tsx'
import { part } from '../page/part.tsx'
import type { Arranged } from './column.ts'
import { t } from './words.ts'

const ColumnsForm = part(() => import('./list-forms/columns-form.tsx'))

interface ColumnsMenuProps<T> {
  arranged: readonly Arranged<T>[]
  onArrange: (arranged: readonly Arranged<T>[]) => void
  /** Restores the list's defaults. */
  onReset: () => void
}

/** Chooses, orders and sizes the columns of a list. */
export function ColumnsMenu<T>(props: ColumnsMenuProps<T>) {
  const id = useId()
  return (
    <>
      <Button icon={<Columns3 />} popoverTarget={id}>
        {t.columns}
      </Button>
      <Floating id={id} label={t.columns} role="dialog" width={330} align="end">
        {(close) => <ColumnsForm {...(props as ColumnsMenuProps<unknown>)} onLost={close} />}
      </Floating>
    </>
  )
}
