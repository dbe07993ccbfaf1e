import { Button } from '../buttons/button.tsx'
import { Note } from './note.tsx'
import { t } from './words.ts'

/** In the place of a part of the page that could not be loaded. */
export const PartLost = ({ onRetry }: { onRetry: () => void }) => (
  <Note
    tone="err"
    role="alert"
    title={t.partLost}
    action={
      <Button size="small" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    }
  >
    {t.checkConnectionHere}
  </Note>
)
