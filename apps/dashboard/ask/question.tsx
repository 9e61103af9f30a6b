import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../ui/controls'

const useIsLong = (text: string) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isLong, setLong] = useState(false)
  useLayoutEffect(() => {
    const element = heading.current
    if (element?.classList.contains('clamped')) setLong(element.scrollHeight > element.clientHeight + 1)
  }, [text])
  return { heading, isLong }
}

export const Question = ({ text }: { text: string }) => {
  const [isWhole, setWhole] = useState(false)
  const { heading, isLong } = useIsLong(text)
  return (
    <>
      <h2 ref={heading} className={isWhole ? 'question' : 'question clamped'}>
        {text}
      </h2>
      {isLong && (
        <p className="small line">
          <Button quiet aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show the whole question'}
          </Button>
        </p>
      )}
    </>
  )
}
