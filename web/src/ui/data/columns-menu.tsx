import Columns3 from 'lucide-react/icons/columns-3'
import { lazy, Suspense, useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { Floating } from '../floating/floating.tsx'
import type { Arranged } from './column.ts'

const ColumnsForm = lazy(() => import('./columns-form.tsx'))

interface ColumnsMenuProps<T> {
  arranged: readonly Arranged<T>[]
  onArrange: (arranged: readonly Arranged<T>[]) => void
  /** Puts the list back as it comes. */
  onReset: () => void
}

/** Chooses, orders and sizes the columns of a list. */
export function ColumnsMenu<T>(props: ColumnsMenuProps<T>) {
  const id = useId()
  return (
    <>
      <Button icon={<Columns3 />} popoverTarget={id}>
        Columns
      </Button>
      <Floating id={id} label="Columns" role="dialog" width={330} align="end">
        {() => (
          <Suspense>
            <ColumnsForm {...(props as ColumnsMenuProps<unknown>)} />
          </Suspense>
        )}
      </Floating>
    </>
  )
}
