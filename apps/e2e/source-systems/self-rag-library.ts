import { documents } from '../scenarios'
import type { WebPage } from '../web-pages'

type Library = Record<string, { description: string; documents: Record<string, string> }>

const study = `# Vaccines and autism

A study of 657,461 children found no link between the measles vaccine and autism.`

export const collections: Library = {
  agents: {
    description: 'Notes about agents.',
    documents: {
      'Agent memory': `# Agent memory

## Sensory memory

Sensory memory keeps raw input for a few seconds.

## Short-term memory

Short-term memory holds the working context of one conversation and is lost when it ends.

## Long-term memory

Long-term memory keeps facts across conversations until they are deleted.`,
    },
  },
  java: {
    description: 'Notes about Java.',
    documents: {
      'Text in Java': `# Text in Java

## String

A String is immutable: every change makes a new object.

## StringBuffer

A StringBuffer is mutable, and its methods are synchronized, so that threads may share it.

## StringBuilder

A StringBuilder is mutable but not synchronized, and so it is faster in one thread.`,
    },
  },
  economy: {
    description: 'Notes about the economy.',
    documents: {
      Inflation: documents['Inflation'] ?? '',
      'Inflation and businesses': documents['Inflation and businesses'] ?? '',
    },
  },
  'one-study': { description: 'A study about vaccines.', documents: { 'The study of children': study } },
  'two-studies': {
    description: 'Studies about vaccines.',
    documents: {
      'The study of children': study,
      'The review of studies': `# Vaccines and autism, a review

A review of ten studies found that vaccines are not associated with autism.`,
    },
  },
  loans: {
    description: 'Notes about loans.',
    documents: {
      Loans: documents['Loans'] ?? '',
      'Compound interest': `# Compound interest

To calculate compound interest, raise one plus the rate of a month to the number of months, multiply it by the loan, and subtract the loan.`,
    },
  },
}

const pages: Record<string, WebPage> = {
  'COP29 Baku': {
    title: 'COP29 in Baku',
    url: 'https://climate.example/baku',
    content: 'The 2024 UN Climate Change Conference took place in Baku in November 2024.',
  },
  'COP29 decisions on finance and carbon markets': {
    title: 'COP29 decisions',
    url: 'https://climate.example/decisions',
    content: 'The conference agreed on a finance goal of 300 billion dollars a year by 2035.',
  },
}
export const pagesFor = (query: string): WebPage[] => (pages[query] ? [pages[query]] : [])
