import { useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session'
import { Problem } from '../ui/problem'
import { passageBoxes } from './passage-boxes'

/** Returns a URL for a fetched image. Its own URL cannot be used, because the request needs the API key. */
const useObjectUrl = (blob: Blob | undefined): string | undefined => {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return blob && address
}

type PageImageProps = { documentId: string; version: string | undefined; page: number; passage: string | undefined }

export const PageImage = ({ documentId, version, page, passage }: PageImageProps) => {
  const { client } = useSession()
  const key = [documentId, version, page]
  const image = useQuery({
    queryKey: ['page-image', ...key],
    queryFn: ({ signal }) => client.pageImage(documentId, page, { signal }),
    staleTime: Infinity,
    gcTime: 60_000,
  })
  const words = useQuery({
    queryKey: ['page-words', ...key],
    queryFn: ({ signal }) => client.pageWords(documentId, page, { signal }),
    staleTime: Infinity,
    enabled: image.isSuccess,
  })
  const address = useObjectUrl(image.data)
  const boxes = useMemo(
    () => (words.data && passage !== undefined ? passageBoxes(words.data, passage) : []),
    [words.data, passage],
  )
  const isShown = address !== undefined && boxes.length > 0
  useEffect(() => {
    if (isShown) document.querySelector('.page-image .place')?.scrollIntoView({ block: 'center' })
  }, [isShown, boxes])
  if (image.error) return <Problem error={image.error} />
  if (address === undefined || !words.data)
    return (
      <p className="card empty" aria-busy="true">
        Loading the page …
      </p>
    )
  const { width, height } = words.data
  return (
    <figure className="card page-image">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Image of page ${page}`}>
        <image href={address} width={width} height={height} />
        {boxes.map((box) => (
          <rect key={`${box.x} ${box.y}`} {...box} rx="1" className="place" />
        ))}
      </svg>
      {passage !== undefined && boxes.length === 0 && (
        <figcaption className="faint small">
          The passage cannot be marked here, because its text differs from that of the page.
        </figcaption>
      )}
    </figure>
  )
}
