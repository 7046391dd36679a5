package dev.cqs.internal;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure of the stack before a slow path announces something to other threads. A {@link StackOverflowError} between a step
 * that announces and the step that completes it would leave a counted request without a waiter, or a hand-off that never
 * arrives.
 */
public final class StackCheck {
    /*
     * HotSpot looks for the end of the stack at the entry of a method: for the size of its frame and a zone below. So the
     * check enters a few large frames. When it has returned, that much stack is left for the calls that follow. A slow path
     * needs a few hundred bytes if it is compiled, and a few thousand if it is interpreted.
     *
     * The frame of touch() is large because of the values that live across a call in it, although that branch is rarely
     * taken: a compiled frame has room for all branches that the profile knows, an interpreted one for all variables. The
     * branch is taken now and then for the sake of the profile. So the check costs a few nanoseconds, and a frame has 2 KB
     * compiled and 4 KB interpreted. The method is too large to be inlined.
     *
     * A StackOverflowError can still strike outside of the slow paths: between the atomic step of an operation that need not
     * wait and the record of the owner, and, for a request that has to wait, between its look at the state and its step.
     * docs/figures.md has the rate.
     */

    /** How many frames; one or less switches the check off, for the model checker, where a stack has no end. */
    private static final int FRAMES = Tuning.positive("dev.cqs.stackFrames", 2, 64);

    /** The large branch is taken once in this many calls, a power of two. */
    private static final int RARELY = 1 << 10;

    /** Of no meaning, and shared by all threads. Made in advance: the check must need no memory. */
    private static final long[] VALUES = new long[256];

    private StackCheck() {}

    /**
     * Returns if there is enough stack for a slow path.
     *
     * @throws StackOverflowError if not; nothing has been announced
     */
    public static void ensure() {
        if (FRAMES > 1) {
            boolean large = (ThreadLocalRandom.current().nextInt() & RARELY - 1) == 0;
            touch(FRAMES - 1, large ? VALUES : null);
        }
    }

    /** The same for an operation with later steps that call {@link #ensure} themselves, where it must not throw any more. */
    public static void ensureMore() {
        ensure();
        if (FRAMES > 1) {
            touch(FRAMES, null);
        }
    }

    // spotless:off: 256 variables, which would be a line each
    private static void touch(int below, long @Nullable [] a) {
        if (a != null) {
            long v0 = a[0], v1 = a[1], v2 = a[2], v3 = a[3], v4 = a[4], v5 = a[5], v6 = a[6], v7 = a[7], v8 = a[8],
                 v9 = a[9], v10 = a[10], v11 = a[11], v12 = a[12], v13 = a[13], v14 = a[14], v15 = a[15], v16 = a[16],
                 v17 = a[17], v18 = a[18], v19 = a[19], v20 = a[20], v21 = a[21], v22 = a[22], v23 = a[23], v24 = a[24],
                 v25 = a[25], v26 = a[26], v27 = a[27], v28 = a[28], v29 = a[29], v30 = a[30], v31 = a[31], v32 = a[32],
                 v33 = a[33], v34 = a[34], v35 = a[35], v36 = a[36], v37 = a[37], v38 = a[38], v39 = a[39], v40 = a[40],
                 v41 = a[41], v42 = a[42], v43 = a[43], v44 = a[44], v45 = a[45], v46 = a[46], v47 = a[47], v48 = a[48],
                 v49 = a[49], v50 = a[50], v51 = a[51], v52 = a[52], v53 = a[53], v54 = a[54], v55 = a[55], v56 = a[56],
                 v57 = a[57], v58 = a[58], v59 = a[59], v60 = a[60], v61 = a[61], v62 = a[62], v63 = a[63], v64 = a[64],
                 v65 = a[65], v66 = a[66], v67 = a[67], v68 = a[68], v69 = a[69], v70 = a[70], v71 = a[71], v72 = a[72],
                 v73 = a[73], v74 = a[74], v75 = a[75], v76 = a[76], v77 = a[77], v78 = a[78], v79 = a[79], v80 = a[80],
                 v81 = a[81], v82 = a[82], v83 = a[83], v84 = a[84], v85 = a[85], v86 = a[86], v87 = a[87], v88 = a[88],
                 v89 = a[89], v90 = a[90], v91 = a[91], v92 = a[92], v93 = a[93], v94 = a[94], v95 = a[95], v96 = a[96],
                 v97 = a[97], v98 = a[98], v99 = a[99], v100 = a[100], v101 = a[101], v102 = a[102], v103 = a[103],
                 v104 = a[104], v105 = a[105], v106 = a[106], v107 = a[107], v108 = a[108], v109 = a[109],
                 v110 = a[110], v111 = a[111], v112 = a[112], v113 = a[113], v114 = a[114], v115 = a[115],
                 v116 = a[116], v117 = a[117], v118 = a[118], v119 = a[119], v120 = a[120], v121 = a[121],
                 v122 = a[122], v123 = a[123], v124 = a[124], v125 = a[125], v126 = a[126], v127 = a[127],
                 v128 = a[128], v129 = a[129], v130 = a[130], v131 = a[131], v132 = a[132], v133 = a[133],
                 v134 = a[134], v135 = a[135], v136 = a[136], v137 = a[137], v138 = a[138], v139 = a[139],
                 v140 = a[140], v141 = a[141], v142 = a[142], v143 = a[143], v144 = a[144], v145 = a[145],
                 v146 = a[146], v147 = a[147], v148 = a[148], v149 = a[149], v150 = a[150], v151 = a[151],
                 v152 = a[152], v153 = a[153], v154 = a[154], v155 = a[155], v156 = a[156], v157 = a[157],
                 v158 = a[158], v159 = a[159], v160 = a[160], v161 = a[161], v162 = a[162], v163 = a[163],
                 v164 = a[164], v165 = a[165], v166 = a[166], v167 = a[167], v168 = a[168], v169 = a[169],
                 v170 = a[170], v171 = a[171], v172 = a[172], v173 = a[173], v174 = a[174], v175 = a[175],
                 v176 = a[176], v177 = a[177], v178 = a[178], v179 = a[179], v180 = a[180], v181 = a[181],
                 v182 = a[182], v183 = a[183], v184 = a[184], v185 = a[185], v186 = a[186], v187 = a[187],
                 v188 = a[188], v189 = a[189], v190 = a[190], v191 = a[191], v192 = a[192], v193 = a[193],
                 v194 = a[194], v195 = a[195], v196 = a[196], v197 = a[197], v198 = a[198], v199 = a[199],
                 v200 = a[200], v201 = a[201], v202 = a[202], v203 = a[203], v204 = a[204], v205 = a[205],
                 v206 = a[206], v207 = a[207], v208 = a[208], v209 = a[209], v210 = a[210], v211 = a[211],
                 v212 = a[212], v213 = a[213], v214 = a[214], v215 = a[215], v216 = a[216], v217 = a[217],
                 v218 = a[218], v219 = a[219], v220 = a[220], v221 = a[221], v222 = a[222], v223 = a[223],
                 v224 = a[224], v225 = a[225], v226 = a[226], v227 = a[227], v228 = a[228], v229 = a[229],
                 v230 = a[230], v231 = a[231], v232 = a[232], v233 = a[233], v234 = a[234], v235 = a[235],
                 v236 = a[236], v237 = a[237], v238 = a[238], v239 = a[239], v240 = a[240], v241 = a[241],
                 v242 = a[242], v243 = a[243], v244 = a[244], v245 = a[245], v246 = a[246], v247 = a[247],
                 v248 = a[248], v249 = a[249], v250 = a[250], v251 = a[251], v252 = a[252], v253 = a[253],
                 v254 = a[254], v255 = a[255];
            touch(0, null);
            a[0] = v0 ^ v1 ^ v2 ^ v3 ^ v4 ^ v5 ^ v6 ^ v7 ^ v8 ^ v9 ^ v10 ^ v11 ^ v12 ^ v13 ^ v14 ^ v15 ^ v16 ^ v17 ^
                    v18 ^ v19 ^ v20 ^ v21 ^ v22 ^ v23 ^ v24 ^ v25 ^ v26 ^ v27 ^ v28 ^ v29 ^ v30 ^ v31 ^ v32 ^ v33 ^
                    v34 ^ v35 ^ v36 ^ v37 ^ v38 ^ v39 ^ v40 ^ v41 ^ v42 ^ v43 ^ v44 ^ v45 ^ v46 ^ v47 ^ v48 ^ v49 ^
                    v50 ^ v51 ^ v52 ^ v53 ^ v54 ^ v55 ^ v56 ^ v57 ^ v58 ^ v59 ^ v60 ^ v61 ^ v62 ^ v63 ^ v64 ^ v65 ^
                    v66 ^ v67 ^ v68 ^ v69 ^ v70 ^ v71 ^ v72 ^ v73 ^ v74 ^ v75 ^ v76 ^ v77 ^ v78 ^ v79 ^ v80 ^ v81 ^
                    v82 ^ v83 ^ v84 ^ v85 ^ v86 ^ v87 ^ v88 ^ v89 ^ v90 ^ v91 ^ v92 ^ v93 ^ v94 ^ v95 ^ v96 ^ v97 ^
                    v98 ^ v99 ^ v100 ^ v101 ^ v102 ^ v103 ^ v104 ^ v105 ^ v106 ^ v107 ^ v108 ^ v109 ^ v110 ^ v111 ^
                    v112 ^ v113 ^ v114 ^ v115 ^ v116 ^ v117 ^ v118 ^ v119 ^ v120 ^ v121 ^ v122 ^ v123 ^ v124 ^ v125 ^
                    v126 ^ v127 ^ v128 ^ v129 ^ v130 ^ v131 ^ v132 ^ v133 ^ v134 ^ v135 ^ v136 ^ v137 ^ v138 ^ v139 ^
                    v140 ^ v141 ^ v142 ^ v143 ^ v144 ^ v145 ^ v146 ^ v147 ^ v148 ^ v149 ^ v150 ^ v151 ^ v152 ^ v153 ^
                    v154 ^ v155 ^ v156 ^ v157 ^ v158 ^ v159 ^ v160 ^ v161 ^ v162 ^ v163 ^ v164 ^ v165 ^ v166 ^ v167 ^
                    v168 ^ v169 ^ v170 ^ v171 ^ v172 ^ v173 ^ v174 ^ v175 ^ v176 ^ v177 ^ v178 ^ v179 ^ v180 ^ v181 ^
                    v182 ^ v183 ^ v184 ^ v185 ^ v186 ^ v187 ^ v188 ^ v189 ^ v190 ^ v191 ^ v192 ^ v193 ^ v194 ^ v195 ^
                    v196 ^ v197 ^ v198 ^ v199 ^ v200 ^ v201 ^ v202 ^ v203 ^ v204 ^ v205 ^ v206 ^ v207 ^ v208 ^ v209 ^
                    v210 ^ v211 ^ v212 ^ v213 ^ v214 ^ v215 ^ v216 ^ v217 ^ v218 ^ v219 ^ v220 ^ v221 ^ v222 ^ v223 ^
                    v224 ^ v225 ^ v226 ^ v227 ^ v228 ^ v229 ^ v230 ^ v231 ^ v232 ^ v233 ^ v234 ^ v235 ^ v236 ^ v237 ^
                    v238 ^ v239 ^ v240 ^ v241 ^ v242 ^ v243 ^ v244 ^ v245 ^ v246 ^ v247 ^ v248 ^ v249 ^ v250 ^ v251 ^
                    v252 ^ v253 ^ v254 ^ v255;
        }
        if (below > 0) {
            touch(below - 1, null);
        }
    }
    // spotless:on
}
