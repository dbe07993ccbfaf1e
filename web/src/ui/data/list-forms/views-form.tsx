import { VIEWS_MAX } from '@lodge/shared/lists/names.ts'
import type { ListView } from '@lodge/shared/lists/preferences.ts'
import Trash2 from 'lucide-react/icons/trash-2'
import { type FormEvent, useState } from 'react'
import { Button, IconButton } from '../../buttons/button.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { Column, Row, Text } from '../../page/layout.tsx'
import type { Views } from '../views.ts'
import { t } from './words.ts'

interface ViewsFormProps extends Views {
  /** The view that the list shows. */
  shown: ListView | undefined
  onOpen: (view: ListView) => void
  onChange: (views: ListView[]) => void
  onClose: () => void
}

/** The saved views, and a form that saves what the list shows now. */
export default function ViewsForm(props: ViewsFormProps) {
  const { views, now, shown, onOpen, onChange, onClose } = props
  const [name, setName] = useState('')
  const given = name.trim()
  const replaces = views.some((view) => view.name === given)
  const full = views.length >= VIEWS_MAX && !replaces
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (given === '' || full) return
    onChange([...views.filter((view) => view.name !== given), { name: given, ...now }])
    onClose()
  }
  return (
    <Column gap={10}>
      {views.length === 0 ? (
        <Text small muted>
          {t.aboutViews}
        </Text>
      ) : (
        views.map((view) => (
          <Row key={view.name} between nowrap>
            <Button
              kind="quiet"
              size="small"
              aria-current={view === shown || undefined}
              onClick={() => {
                onOpen(view)
                onClose()
              }}
            >
              {view.name}
            </Button>
            <IconButton
              label={t.deleteView({ name: view.name })}
              size="small"
              onClick={() => onChange(views.filter((other) => other !== view))}
            >
              <Trash2 />
            </IconButton>
          </Row>
        ))
      )}
      <form onSubmit={save}>
        <Column gap={8}>
          <TextField label={t.viewName} value={name} onChange={setName} />
          <Button
            type="submit"
            size="small"
            disabledBecause={
              full ? t.tooManyViews({ count: VIEWS_MAX }) : given === '' ? t.nameFirst : undefined
            }
          >
            {replaces ? t.replaceView : t.saveView}
          </Button>
        </Column>
      </form>
    </Column>
  )
}
