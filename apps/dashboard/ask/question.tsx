import { useState } from 'react'
import { Button } from '../ui/controls'

/** Limits of a heading of about three lines. */
const mostLetters = 220
const mostLines = 3

export const Question = ({ text }: { text: string }) => {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > mostLetters || text.split('\n').length > mostLines
  return (
    <>
      <h2 className={isLong && !isWhole ? 'question clamped' : 'question'}>{text}</h2>
      {isLong && (
        <p className="small line">
          <Button quiet aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show all'}
          </Button>
        </p>
      )}
    </>
  )
}
