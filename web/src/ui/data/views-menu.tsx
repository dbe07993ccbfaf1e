import type { ListView } from '@lodge/shared/lists/preferences.ts'
import Bookmark from 'lucide-react/icons/bookmark'
import { useId } from 'react'
import { Button } from '../buttons/button.tsx'
import { Floating } from '../floating/floating.tsx'
import { part } from '../page/part.tsx'
import type { Views } from './views.ts'
import { t } from './words.ts'

const ViewsForm = part(() => import('./list-forms/views-form.tsx'))

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
        {shown?.name ?? t.views}
      </Button>
      <Floating id={id} label={t.views} role="dialog" width={300}>
        {(close) => <ViewsForm {...props} shown={shown} onClose={close} onLost={close} />}
      </Floating>
    </>
  )
}
