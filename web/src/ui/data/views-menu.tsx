import type { ListView } from '@lodge/shared/lists/preferences.ts'
import Bookmark from 'lucide-react/icons/bookmark'
import { lazy, Suspense, useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { Floating } from '../floating/floating.tsx'
import { type Views, viewShown } from './view-shown.ts'

const ViewsForm = lazy(() => import('./views-form.tsx'))

interface ViewsMenuProps extends Views {
  onOpen: (view: ListView) => void
  onChange: (views: ListView[]) => void
}

/** Opens, saves and deletes views of a list. */
export function ViewsMenu(props: ViewsMenuProps) {
  const id = useId()
  return (
    <>
      <Button icon={<Bookmark />} popoverTarget={id}>
        {viewShown(props)?.name ?? 'Views'}
      </Button>
      <Floating id={id} label="Views" role="dialog" width={300}>
        {(close) => (
          <Suspense>
            <ViewsForm {...props} onClose={close} />
          </Suspense>
        )}
      </Floating>
    </>
  )
}
