--[[
Adds jobs with the same name to one BullMQ queue. Stores each job in the same form as BullMQ's own scripts
addStandardJob and addPrioritizedJob; the test add-jobs.int.spec.ts compares the stored data. Writes no BullMQ events,
because Plumbline does not read them. The first seven keys belong to BullMQ.
KEYS[1] wait   KEYS[2] meta   KEYS[3] id   KEYS[4] active   KEYS[5] marker   KEYS[6] prioritized   KEYS[7] pc
KEYS[8] turns:{lane}
ARGV[1] the queue's key prefix   ARGV[2] the name of the jobs   ARGV[3] timestamp (ms)
ARGV[4] the options of a job without a turn, as JSON with %s in place of the job id
ARGV[5] the options of a job with a turn, as JSON with %s in place of the job id and %d in place of the priority
ARGV[6] the number of turns that share one priority   ARGV[7] the lowest priority, which is the largest number
ARGV[8] and following, three for each job: id   data as JSON   the job's turn, or '' if the job has no turn
Returns nothing. If a job with the same id is already stored, the script leaves that job unchanged.
A turn is the position of a job in the fair order of tenants. This script stores the turn as two numbers: the priority
of the job, and the lower half of the job's score. BullMQ itself would store a counter of arrivals in that half. Jobs of
the same priority are therefore ordered by turn. If a turn is too large for the last priority number, the job gets the
lowest priority. Jobs with the lowest priority are ordered by arrival.
]]
local wait, meta, counter, active, marker, prioritized, arrivals, turns = unpack(KEYS)
local prefix, name, timestamp, options, orderedOptions = unpack(ARGV, 1, 5)
local turnsPerPriority, lowest = tonumber(ARGV[6]), tonumber(ARGV[7])
local half = 0x100000000

local held, concurrency = unpack(redis.call('HMGET', meta, 'paused', 'concurrency'))
local full = held or concurrency and redis.call('LLEN', active) >= tonumber(concurrency)

local base
local function scoreOf(turn)
  base = base or tonumber(redis.call('HGET', turns, 'base') or 0)
  local place = 1 + math.max(0, tonumber(turn) - base) / turnsPerPriority
  if place >= lowest then return lowest * half + redis.call('INCR', arrivals) % half end
  return math.floor(place * half)
end

local added, ordered = {}, {}
for i = 8, #ARGV, 3 do
  local id = ARGV[i]
  local key = prefix .. id
  if redis.call('EXISTS', key) == 0 then
    local priority, opts = 0, options
    if ARGV[i + 2] == '' then
      added[#added + 1] = id
    else
      local score = scoreOf(ARGV[i + 2])
      priority, opts = math.floor(score / half), orderedOptions
      ordered[#ordered + 1] = string.format('%.0f', score)
      ordered[#ordered + 1] = id
    end
    redis.call('HMSET', key, 'name', name, 'data', ARGV[i + 1], 'opts', string.format(opts, id, priority), 'timestamp', timestamp, 'delay', 0, 'priority', priority)
  end
end
redis.call('INCRBY', counter, (#ARGV - 7) / 3)
if #added > 0 then redis.call('LPUSH', wait, unpack(added)) end
if #ordered > 0 then redis.call('ZADD', prioritized, unpack(ordered)) end
if not full and #added + #ordered > 0 then redis.call('ZADD', marker, 0, '0') end
