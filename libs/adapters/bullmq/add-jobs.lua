--[[
Adds waiting jobs of one name to one queue, as BullMQ's addStandardJob would one after another; its spec compares the two.
KEYS[1] wait   KEYS[2] meta   KEYS[3] id   KEYS[4] active   KEYS[5] events   KEYS[6] marker
ARGV[1] the queue's key prefix   ARGV[2] name   ARGV[3] timestamp (ms)   ARGV[4] options as JSON, with a %s for the job's id
  then for each job: id   data as JSON
Returns nothing; a job whose id is known already stays as it is.
]]
local wait, meta, counter, active, events, marker = unpack(KEYS)
local prefix, name, timestamp, options = unpack(ARGV, 1, 4)

local held, concurrency, mostEvents = unpack(redis.call('HMGET', meta, 'paused', 'concurrency', 'opts.maxLenEvents'))
if not mostEvents then
  mostEvents = 10000
  redis.call('HSET', meta, 'opts.maxLenEvents', mostEvents)
end
local full = held or concurrency and redis.call('LLEN', active) >= tonumber(concurrency)

local added = {}
for i = 5, #ARGV, 2 do
  local id, data = ARGV[i], ARGV[i + 1]
  local key = prefix .. id
  if redis.call('EXISTS', key) == 1 then
    redis.call('XADD', events, 'MAXLEN', '~', mostEvents, '*', 'event', 'duplicated', 'jobId', id)
  else
    added[#added + 1] = id
    redis.call('HMSET', key, 'name', name, 'data', data, 'opts', string.format(options, id), 'timestamp', timestamp, 'delay', 0, 'priority', 0)
    redis.call('XADD', events, '*', 'event', 'added', 'jobId', id, 'name', name)
    redis.call('XADD', events, 'MAXLEN', '~', mostEvents, '*', 'event', 'waiting', 'jobId', id)
  end
end
redis.call('INCRBY', counter, (#ARGV - 4) / 2)
if #added == 0 then return end
redis.call('LPUSH', wait, unpack(added))
if not full then redis.call('ZADD', marker, 0, '0') end
