#!/bin/bash
# Solves one game on many machines: sbatch docs/cluster/slurm.sh black-hole:7,4
# Submitted again after a failure, it goes on after the last finished tier.
#SBATCH --job-name=crabwise
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --mem=240G
#SBATCH --time=24:00:00
#SBATCH --output=crabwise-%j.log

set -euo pipefail

game=${1:?a game, such as black-hole:7,4}
port=${CRABWISE_PORT:-2101}
# The table is made by process 0; a folder that all machines share keeps it wherever that runs next time.
tables=${CRABWISE_TABLES:-$PWD/tables}
hosts=$PWD/hosts-$SLURM_JOB_ID.txt

mkdir -p "$tables"
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed "s/\$/:$port/" > "$hosts"

# One process a machine, a worker a core. --memory is for one process; the rest is for buffers and the system.
# --kill-on-bad-exit ends all processes as soon as one has ended in trouble.
srun --kill-on-bad-exit=1 --ntasks="$SLURM_NNODES" --ntasks-per-node=1 \
  --cpus-per-task="$SLURM_CPUS_PER_TASK" \
  bash -c 'exec crabwise solve "$0" --hosts "$1" --process "$SLURM_PROCID" \
    --workers "$SLURM_CPUS_PER_TASK" --memory 220G --tables "$2" \
    --metrics 0.0.0.0:9187' "$game" "$hosts" "$tables"
