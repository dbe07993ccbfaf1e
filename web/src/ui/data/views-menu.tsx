import type { ListView } from '@lodge/shared/lists/preferences.ts'
import Bookmark from 'lucide-react/icons/bookmark'
import { lazy, Suspense, useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { Floating } from '../floating/floating.tsx'
import type { Views } from './views.ts'

const ViewsForm = lazy(() => import('./views-form.tsx'))

interface ViewsMenuProps extends Views {
  onOpen: (view: ListView) => void
  onChange: (views: ListView[]) => void
}

/** Opens, saves and deletes views of a list. */
export function ViewsMenu(props: ViewsMenuProps) {
  const id = useId()
  const { views, now } = props
  const shown = views.find(({ filter, sort }) => filter === now.filter && sort === now.sort)
  return (
    <>
      <Button icon={<Bookmark />} popoverTarget={id}>
        {shown?.name ?? 'Views'}
      </Button>
      <Floating id={id} label="Views" role="dialog" width={300}>
        {(close) => (
          <Suspense>
            <ViewsForm {...props} shown={shown} onClose={close} />
          </Suspense>
        )}
      </Floating>
    </>
  )
}
