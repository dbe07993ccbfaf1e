import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Button } from '../buttons/button.tsx'
import { Row, Text } from '../page/layout.tsx'

interface PagerProps {
  shown: number
  /** Cursor of this page; undefined on the first. */
  after: string | undefined
  next: string | null
  onGo: (after: string | undefined) => void
}

/** Forward and back through a cursor-paged list. Back is the browser's own history. */
export function Pager({ shown, after, next, onGo }: PagerProps) {
  if (after === undefined && next === null) return null
  return (
    <Row between>
      <Text small muted>
        {shown} on this page{next === null ? '' : ', more follow'}
      </Text>
      <Row>
        <Button
          size="small"
          icon={<ChevronLeft />}
          disabledBecause={after === undefined ? 'This is the first page' : undefined}
          onClick={() => onGo(undefined)}
        >
          First page
        </Button>
        <Button
          size="small"
          disabledBecause={next === null ? 'This is the last page' : undefined}
          onClick={() => onGo(next ?? undefined)}
        >
          Next <ChevronRight />
        </Button>
      </Row>
    </Row>
  )
}
