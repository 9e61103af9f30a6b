import { describe, expect, it } from 'vitest'
import { readSubtitles } from './read-subtitles'

const read = (text: string) => readSubtitles(new TextEncoder().encode(text), { name: 'a.srt' })

describe('subtitles', () => {
  it('are the spoken text, with the time at the start of each paragraph', async () => {
    const srt =
      '1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i>\nworld\n\n2\n00:00:03,000 --> 00:00:04,000\nMore\n\n3\n01:01:03,000 --> 01:01:04,000\nLater\n'
    expect((await read(srt)).parts[0]?.text).toBe('00:00:01 *Hello* world\nMore\n\n01:01:03 Later')
    const vtt = 'WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.500 align:left\n<v Ann>Hello &amp; <c.red>bye</c></v>\n'
    expect((await read(vtt)).parts[0]?.text).toBe('00:00:01 Ann: Hello & bye')
  })

  it('are refused where no line says when, and say what they lost', async () => {
    await expect(read('just a text')).rejects.toMatchObject({ reason: 'mislabelled' })
    expect((await read('1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:x3 --> 00:04\nlost\n')).notes).toEqual([
      expect.stringContaining('may be missing'),
    ])
  })
})
