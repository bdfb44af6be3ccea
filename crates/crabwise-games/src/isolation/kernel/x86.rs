//! Lanes as vector registers: AVX2, and AVX-512 with its instructions for bytes (VBMI, VBMI2), where a
//! row is picked by one instruction instead of five.
//!
//! `unsafe` is here for two reasons alone. The instructions may only be used where the processor has
//! them: lanes of these types are made only under [`Sweeper::with_avx2`] and [`Sweeper::with_avx512`],
//! which are called only after the processor has been asked. And pointers are read: always those of a
//! whole array of 32 bytes.
//!
//! [`Sweeper::with_avx2`]: super::Sweeper
//! [`Sweeper::with_avx512`]: super::Sweeper

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{
    super::geometry::NONE,
    simd::{Lanes, read},
};

/// Whether the processor has all that [`Avx512`] needs.
pub(super) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && has_avx2()
}

/// Whether the processor has all that [`Avx2`] needs.
pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

const COUNT: [u8; 32] = {
    let (mut lanes, mut i) = ([0; 32], 0);
    while i < 32 {
        lanes[i] = i as u8;
        i += 1;
    }
    lanes
};

macro_rules! shared {
    () => {
        #[inline(always)]
        fn new(lanes: [u8; 32]) -> Self {
            // SAFETY: the pointer is that of 32 bytes.
            Self(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
        }

        #[inline(always)]
        fn lanes(self) -> [u8; 32] {
            let mut lanes = [0; 32];
            // SAFETY: the pointer is that of 32 bytes.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) };
            lanes
        }

        #[inline(always)]
        fn read(bytes: &[u8], at: usize) -> Self {
            Self::new(read(bytes, at))
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_max_epu8(self.0, other.0) })
        }

        #[inline(always)]
        fn flip(self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi8(-1)) })
        }

        #[inline(always)]
        fn back(self) -> Self {
            // SAFETY: see the module.
            Self(unsafe {
                let lost = _mm256_cmpgt_epi8(_mm256_setzero_si256(), self.0);
                _mm256_add_epi8(self.0, _mm256_or_si256(lost, _mm256_set1_epi8(1)))
            })
        }

        #[inline(always)]
        fn prefetch<T>(items: &[T], at: usize) {
            if let Some(item) = items.get(at) {
                // SAFETY: the item is there, and nothing but time depends on it.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
            }
        }
    };
}

#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

impl Lanes for Avx2 {
    shared!();

    #[inline(always)]
    fn pick(self, places: Avx2) -> Avx2 {
        // Each half is looked up by the low four bits of places whose top bit is not set: those below
        // 16 once 0x70 is added, and those from 16 on once 16 is taken away. NONE is neither.
        // SAFETY: see the module.
        Avx2(unsafe {
            let low = _mm256_permute2x128_si256::<0x00>(self.0, self.0);
            let high = _mm256_permute2x128_si256::<0x11>(self.0, self.0);
            let below = _mm256_adds_epu8(places.0, _mm256_set1_epi8(0x70));
            let above = _mm256_sub_epi8(places.0, _mm256_set1_epi8(16));
            let (low, high) = (_mm256_shuffle_epi8(low, below), _mm256_shuffle_epi8(high, above));
            _mm256_or_si256(low, high)
        })
    }

    #[inline(always)]
    fn without(self, gone: u8) -> Avx2 {
        // Places count as less than any, being negative, and stay places that are none.
        // SAFETY: see the module.
        Avx2(unsafe {
            let after = _mm256_cmpgt_epi8(self.0, _mm256_set1_epi8(gone as i8));
            _mm256_add_epi8(self.0, after)
        })
    }

    #[inline(always)]
    fn choose(bits: u32, one: u8, other: u8) -> Avx2 {
        // Each lane gets the byte that its bit is in, and of that its bit.
        // SAFETY: see the module.
        Avx2(unsafe {
            let (low, high) = (0x0101_0101_0101_0101, 0x0303_0303_0303_0303);
            let bytes = _mm256_setr_epi64x(0, low, 2 * low, high);
            let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits as i32), bytes);
            let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
            let [one, other] = [one, other].map(|lane| _mm256_set1_epi8(lane as i8));
            _mm256_blendv_epi8(other, one, set)
        })
    }
}

#[derive(Clone, Copy)]
pub(super) struct Avx512(__m256i);

impl Lanes for Avx512 {
    shared!();

    #[inline(always)]
    fn pick(self, places: Avx512) -> Avx512 {
        // SAFETY: see the module.
        Avx512(unsafe {
            let there = !_mm256_movepi8_mask(places.0);
            _mm256_maskz_permutexvar_epi8(there, places.0, self.0)
        })
    }

    #[inline(always)]
    fn without(self, gone: u8) -> Avx512 {
        // SAFETY: see the module.
        Avx512(unsafe {
            let after = _mm256_cmpgt_epi8_mask(self.0, _mm256_set1_epi8(gone as i8));
            _mm256_mask_sub_epi8(self.0, after, self.0, _mm256_set1_epi8(1))
        })
    }

    #[inline(always)]
    fn ranks(set: u32) -> Avx512 {
        // SAFETY: see the module; the pointer is that of 32 bytes.
        Avx512(unsafe {
            let count = _mm256_loadu_si256(COUNT.as_ptr().cast());
            _mm256_mask_expand_epi8(_mm256_set1_epi8(NONE as i8), set, count)
        })
    }

    #[inline(always)]
    fn choose(bits: u32, one: u8, other: u8) -> Avx512 {
        // SAFETY: see the module.
        Avx512(unsafe {
            let [one, other] = [one, other].map(|lane| _mm256_set1_epi8(lane as i8));
            _mm256_mask_blend_epi8(bits, other, one)
        })
    }
}
